;;; leaving-tests.el --- What is told as Emacs ends  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Loaded by continuo-tests.el.  The server is a program that answers late and
;; keeps what it hears.

;;; Code:

(defconst late-server
  (expand-file-name "../Python/fake_server.py" tests-folder)
  "A server whose answers take a while.")

(defmacro with-late-server (&rest body)
  "Run BODY with the mode on, a server that answers late, and a `folder'."
  (declare (indent 0))
  `(let* ((folder (file-name-as-directory (make-temp-file "continuo" t)))
          (log (concat folder "log"))
          (continuo-command (list "python3" "-B" late-server "late" log))
          (continuo--patience 60)
          (make-backup-files nil) (create-lockfiles nil))
     (write-region "" nil log nil 'silent)
     (unwind-protect (progn (continuo-mode 1) ,@body)
       (dolist (buffer (buffer-list))
         (when (buffer-file-name buffer)
           (with-current-buffer buffer
             (set-buffer-modified-p nil)
             (kill-buffer))))
       (let ((continuo--patience 0)) (continuo-mode -1))
       (setq continuo--trouble nil)
       (delete-directory folder t))))

(defun kept (log)
  "What the servers have kept in LOG, in order."
  (split-string (text-of log) "\n" t))

(defun until (what condition)
  "Wait until CONDITION, a function, holds; WHAT is told where it never does."
  (with-timeout (60 (error "%s did not come about" what))
    (while (not (funcall condition)) (accept-process-output nil 0.05))))

(defconst last-words
  '("document/open" "document/becomeCurrent" "answered document/open"
    "shutdown" "answered shutdown" "exit")
  "What a server hears and answers that is told a document, and the end.")

(ert-deftest the-last-state-is-told-to-a-server-that-only-starts ()
  (with-late-server
    (open-text "one\n" (concat folder "plan.md"))
    (continuo--leave)
    (should (equal last-words (kept log)))))

(ert-deftest the-last-state-is-told-to-the-server-after-one-that-died ()
  (with-late-server
    (open-text "one\n" (concat folder "plan.md"))
    (until "the file to be told" (lambda () continuo--about))
    (let ((before (length (kept log))))
      ;; Emacs has not noticed that when it ends.
      (signal-process (jsonrpc--process continuo--connection) 'SIGKILL)
      (continuo--leave)
      (should (equal last-words (nthcdr before (kept log)))))))

(ert-deftest the-last-state-is-told-again-where-a-server-dies-over-it ()
  (with-late-server
    (open-text "one\n" (concat folder "plan.md"))
    (until "the file to be told" (lambda () continuo--about))
    (let* ((before (length (kept log)))
           (process (jsonrpc--process continuo--connection))
           (killer (lambda (_ method &rest _)
                     (when (eq method 'shutdown)
                       (run-at-time 0 nil #'delete-process process)))))
      (advice-add 'jsonrpc-request :before killer)
      (unwind-protect (continuo--leave)
        (advice-remove 'jsonrpc-request killer))
      (should (equal last-words (member "document/open"
                                        (nthcdr before (kept log))))))))

(ert-deftest a-server-that-refuses-emacs-is-not-waited-for ()
  (with-late-server
    (continuo--stop)
    (setq continuo-command (list "python3" "-B" late-server "refuses"))
    (continuo--start)
    (until "the refusal" (lambda () continuo--trouble))
    (until "the end of it" (lambda () (not continuo--connection)))
    (should (equal "app.id is missing" continuo--trouble))
    (should-not continuo--timer)))

(ert-deftest no-server-is-waited-for-with-nothing-to-tell ()
  (with-late-server
    (continuo--leave)
    (should-not continuo--connection)
    (should-not (kept log))))

(provide 'leaving-tests)
;;; leaving-tests.el ends here
