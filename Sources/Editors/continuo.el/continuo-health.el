;;; continuo-health.el --- Whether all is there for Continuo  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT
;; Author: Continuo contributors

;;; Commentary:

;; What is missing, in sentences, and what to do about it.

;;; Code:

(require 'continuo)

(defun continuo--health-of-program ()
  "Sentences about the program that serves Emacs."
  (let* ((program (car continuo-command))
         (found (executable-find program)))
    (cond
     ((not found)
      (list (format "%s is not installed, or not on `exec-path': install \
Continuo, or set `continuo-command'" program)))
     ((not (equal (cadr continuo-command) "serve"))
      (list (format "%s is installed" found)))
     ((eq 0 (ignore-errors (call-process found nil nil nil "serve" "--help")))
      (list (format "%s is installed, and serves editors" found)))
     (t (list (format "%s knows no `serve': install a newer Continuo"
                      found))))))

(defun continuo--health-of-server ()
  "Sentences about the server and the agent."
  (list
   (cond
    ((not continuo-mode)
     "`continuo-mode' is off: put (continuo-mode) into your init file")
    ((not continuo--ready)
     (concat "the server does not run"
             (and continuo--trouble (concat ": " continuo--trouble))
             "; M-x continuo-restart starts it"))
    (continuo--trouble
     (concat "the server runs, but: " continuo--trouble
             "; `continuo status' in a shell tells more"))
    (t "the server runs and is connected to the agent"))
   (unless continuo-save
     "`continuo-save' is nil: what you do not save is not handed over")))

(defun continuo--health-of-documents ()
  "A sentence about each file that is open."
  (let (found)
    (dolist (buffer (buffer-list))
      (with-current-buffer buffer
        (when continuo--uri
          (push (concat
                 (buffer-name)
                 (if (continuo--true (plist-get continuo--about :synced))
                     (concat " is in " (plist-get continuo--about :folder))
                   (concat ": " (or (plist-get continuo--about :reason)
                                    "the server has not told yet"))))
                found))))
    (or (nreverse found) (list "no file is open"))))

;;;###autoload
(defun continuo-health ()
  "Look whether all is there that a hand-off needs, and tell what is not."
  (interactive)
  (let ((sentences (append (continuo--health-of-program)
                           (continuo--health-of-server)
                           (continuo--health-of-documents))))
    (with-help-window "*Continuo health*"
      (dolist (sentence (delq nil sentences))
        (princ (concat (continuo--clean sentence) "\n"))))))

(provide 'continuo-health)
;;; continuo-health.el ends here
