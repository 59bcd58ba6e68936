;;; recent-tests.el --- What M-x continuo-recent does  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; A program of the test's stands for `continuo': it keeps its arguments.
;; With the real one it is played by Tests/EditorsTests/Python/test_recent.py.

;;; Code:

(require 'continuo-recent)
(require 'ert)
(require 'cl-lib)

(defvar folder nil)
(defvar shown nil)
(defvar recent-asked nil "The lines that were chosen from, in their order.")
(defvar recent-number 0 "Which line is chosen, from 0.")

(defconst recent-entries
  '[(:title "Soup" :app "org.example.reader" :id "6f72.31"
     :changedAt "2026-11-29T05:00:00Z" :webpageURL "https://example.org/soup")
    (:title "Plan" :app "org.example.writer" :id "6f72.32"
     :changedAt "2026-11-28T05:00:00Z" :path "/home/x/plan.md")])

(defun recent-put (text name)
  "Write TEXT to the file NAME of the test."
  (let ((coding-system-for-write 'utf-8-unix))
    (write-region text nil (concat folder name) nil 'silent)))

(cl-defun recent-answer (list &key (open "") (errors "") (list-code 0)
                              (open-code 0) (wait ""))
  "Have the program print LIST, and OPEN for what is opened.
ERRORS is what it says else, LIST-CODE and OPEN-CODE what it ends with, and
WAIT what it does before it lists."
  (recent-put list "list")
  (recent-put open "open")
  (recent-put errors "errors")
  (recent-put (format "#!/bin/sh
cd %s
printf '%%s\\0' \"$@\" >>said
printf '\\n' >>said
case \" $* \" in
  *' --open --json '*) cat open; cat errors >&2; exit %d;;
  *) %s cat list; cat errors >&2; exit %d;;
esac
" folder open-code wait list-code) "program")
  (set-file-modes (concat folder "program") #o700))

(defun recent-said ()
  "The arguments of each time that the program ran."
  (when (file-exists-p (concat folder "said"))
    (with-temp-buffer
      (let ((coding-system-for-read 'utf-8-unix))
        (insert-file-contents (concat folder "said")))
      (mapcar (lambda (line) (split-string line "\0"))
              (split-string (buffer-string) "\0\n" t)))))

(defun recent-eventually (what condition)
  "Wait for CONDITION, which is called WHAT."
  (with-timeout (30 (ert-fail (list what shown)))
    (while (not (funcall condition)) (accept-process-output nil 0.01))))

(defun recent-until-told (words)
  "Wait until WORDS were told."
  (recent-eventually words (lambda ()
                      (seq-some (lambda (each) (string-search words each))
                                shown))))

(defmacro with-program (&rest body)
  "Run BODY with the program, and a person who chooses `recent-number'."
  (declare (indent 0))
  `(let* ((folder (file-name-as-directory (make-temp-file "continuo" t)))
          (continuo-command (list (concat folder "program") "serve" "--stdio"))
          (note (lambda (format &rest arguments)
                  (when format
                    (push (apply #'format-message format arguments) shown))))
          (completing-read-function
           (lambda (_ table &rest _)
             (setq recent-asked (all-completions "" table))
             (should (eq #'identity
                         (completion-metadata-get
                          (completion-metadata "" table nil)
                          'display-sort-function)))
             (nth recent-number recent-asked)))
          (recent-number 0) (continuo-mode t))
     (setq shown nil recent-asked nil)
     (advice-add 'message :before note)
     (unwind-protect (progn ,@body)
       (advice-remove 'message note)
       (when continuo--recent-process (delete-process continuo--recent-process))
       (delete-directory folder t))))

(ert-deftest what-is-chosen-is-opened-by-its-id ()
  (with-program
    (recent-answer (json-encode recent-entries)
            :open "{\"app\":\"Writer\",\"message\":\"Handed over to Writer.\"}")
    (setq recent-number 1)
    (continuo-recent "")
    (recent-until-told "Handed over to Writer.")
    (should (equal '(("recent" "--json" "--count" "100")
                     ("recent" "--open" "--json" "--id=6f72.32"))
                   (recent-said)))
    (should (string-match-p "\\`Soup  org.example.reader  2026-11-.*/soup\\'"
                            (car recent-asked)))
    (should (string-match-p "\\`Plan  org.example.writer  .*/plan.md\\'"
                            (cadr recent-asked)))))

(ert-deftest lines-that-are-alike-are-told-apart ()
  (with-program
    (let ((soup (aref recent-entries 0)))
      (recent-answer (json-encode (vector soup (append '(:id "6f72.33") soup)))))
    (setq recent-number 1)
    (continuo-recent " ")
    (recent-until-told "It was opened")
    (should (equal "--id=6f72.33" (car (last (cadr (recent-said))))))))

(ert-deftest a-moment-is-told-by-the-clock-here ()
  (unwind-protect
      (cl-loop for (zone clock) in '(("UTC" "2026-11-29 05:00")
                                     ("XYZ-3:30" "2026-11-29 08:30"))
               do (set-time-zone-rule zone)
               (should (string-search clock (continuo--recent-label
                                             (aref recent-entries 0)))))
    (set-time-zone-rule nil)))

(ert-deftest words-are-one-argument-whatever-they-say ()
  (with-program
    (recent-answer "[]")
    (dolist (words '("soup" "-x" "--open" "--help" "$(touch pwned)" "`touch p`"
                     "; touch pwned" "%s" "\\[kill-emacs]" "\"lentil soup\""
                     "a  b" "é漢" "\e[31m"))
      (let ((count (length (recent-said))))
        (continuo-recent words)
        (recent-eventually words
                           (lambda () (= (1+ count) (length (recent-said)))))
        (should (equal (list "search" "--json" "--count" "100" "--" words)
                       (car (last (recent-said)))))
        (recent-until-told (concat "Nothing kept for search has: "
                            (continuo--clean words)))))
    (should-not (file-exists-p (concat folder "pwned")))
    (should-not (string-match-p "[[:cntrl:]]" (apply #'concat shown)))))

(ert-deftest a-title-and-a-path-are-one-line-of-text ()
  (with-program
    (let ((nasty "A\e[31m\nB %s \\[kill-emacs] `touch pwned`\u202e"))
      (recent-answer (json-encode `[(:title ,nasty :app ,nasty :id "61.62"
                                     :changedAt ,nasty :path ,nasty)])
              :open (json-encode `(:message ,nasty)))
      (continuo-recent "")
      (recent-until-told "B %s \\[kill-emacs] `touch pwned`"))
    (should (string-prefix-p "A\N{REPLACEMENT CHARACTER}[31m B"
                             (car recent-asked)))
    (dolist (each (append recent-asked shown))
      (should-not (string-match-p "[[:cntrl:]\u202e]" each)))
    (should-not (file-exists-p (concat folder "pwned")))))

(ert-deftest an-id-that-is-none-is-not-given-to-a-program ()
  (dolist (id '("--open" "61" "61.62\n" "61.62 --x" "x.y" ""))
    (with-program
      (recent-answer
       (json-encode `[(:title "A" :app "b" :changedAt "c" :id ,id)]))
      (continuo-recent "")
      (recent-until-told "This needs a newer Continuo")
      (should-not recent-asked)))
  (with-program
    (recent-answer "[{\"title\":\"A\"},7,null]")
    (continuo-recent "")
    (recent-until-told "it tells no")))

(ert-deftest what-is-in-the-way-is-said-in-a-sentence ()
  (cl-flet ((told (sentence list &rest more)
              (with-program
                (apply #'recent-answer list more)
                (continuo-recent "")
                (recent-until-told sentence))))
    (told "Continuo: No agent runs." "" :list-code 1
          :errors "Error: No agent runs.\n")
    (told "This needs a newer Continuo: Unexpected" "" :list-code 64
          :errors "Error: Unexpected argument\n")
    (told "No app has kept anything for search" "[]")
    (told "It listed no list" "no JSON")
    (told "No app here continues t." (json-encode recent-entries) :open-code 3
          :open "{\"message\":\"No app here continues t.\"}")
    (told "It is gone." (json-encode recent-entries) :open-code 1
          :errors "Error: It is gone.\n"))
  (let ((continuo-mode t))
    (let ((continuo-command '("/no/such/program" "serve")))
      (should-error (continuo-recent "") :type 'user-error))
    (let ((continuo-command '("true")))
      (should-error (continuo-recent "") :type 'user-error)))
  (let ((continuo-mode nil))
    (should-error (continuo-recent "") :type 'user-error)))

(ert-deftest a-list-does-not-take-the-minibuffer ()
  (with-program
    (recent-answer (json-encode recent-entries))
    (cl-letf (((symbol-function 'active-minibuffer-window)
               #'selected-window))
      (continuo-recent "")
      (recent-until-told "The list is there: M-x continuo-recent shows it"))
    (should-not recent-asked)))

(ert-deftest the-list-that-was-asked-for-last-is-shown ()
  (with-program
    (recent-answer (json-encode recent-entries)
            :wait "case \"$*\" in search*) while :; do :; done;; esac;")
    (continuo-recent "soup")
    (recent-eventually "the first" #'recent-said)
    (continuo-recent "")
    (recent-eventually "the second" (lambda () recent-asked))
    (recent-until-told "It was opened")
    (should-not (seq-some (lambda (each) (string-search "ended with" each))
                          shown))))

(provide 'recent-tests)
;;; recent-tests.el ends here
