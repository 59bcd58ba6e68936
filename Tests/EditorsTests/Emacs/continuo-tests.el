;;; continuo-tests.el --- What continuo.el does in Emacs  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Buffers, files, windows and commands are Emacs's own.  The server is not
;; there: what would be sent is kept, and what it would say is called.  With
;; the real server the package is played by Fixtures/embedded.

;;; Code:

(require 'continuo)
(require 'ert)
(require 'cl-lib)

(defconst tests-folder
  (file-name-directory (or load-file-name buffer-file-name))
  "Where these tests lie.")
(defvar folder nil "The folder of a test, with a slash behind.")
(defvar told nil "What was sent, the last first: (METHOD . PARAMS).")
(defvar shown nil "What the echo area showed, the last first.")

(defclass kept-connection (jsonrpc-connection) ()
  "A connection that keeps what is sent.")

(cl-defmethod jsonrpc-connection-send ((_connection kept-connection)
                                       &rest arguments)
  "Keep ARGUMENTS."
  (push (cons (plist-get arguments :method) (plist-get arguments :params))
        told))

(defun note-shown (format &rest arguments)
  "Keep the message FORMAT with ARGUMENTS."
  (when format (push (apply #'format-message format arguments) shown)))

(defmacro with-continuo (&rest body)
  "Run BODY with the mode on, a server that listens, and a folder `folder'."
  (declare (indent 0))
  `(let ((folder (file-name-as-directory (make-temp-file "continuo" t)))
         (make-backup-files nil) (create-lockfiles nil)
         (transient-mark-mode t)
         (told nil) (shown nil))
     (cl-letf (((symbol-function 'continuo--start) #'ignore))
       (advice-add 'message :before #'note-shown)
       (unwind-protect
           (progn
             (continuo-mode 1)
             (setq continuo--connection (make-instance 'kept-connection
                                                       :name "kept")
                   continuo--ready t)
             ,@body)
         (setq continuo--connection nil
               continuo--place nil
               continuo--ready nil)
         (continuo--forget-all)
         (dolist (buffer (buffer-list))
           (when (buffer-file-name buffer)
             (with-current-buffer buffer
               (set-buffer-modified-p nil)
               (kill-buffer))))
         (delete-other-windows)
         (continuo-mode -1)
         (advice-remove 'message #'note-shown)
         (delete-directory folder t)))))

(defun write-text (text file &optional coding)
  "Write TEXT to FILE in CODING, as another program does."
  (let ((coding-system-for-write (or coding 'utf-8-unix))
        (fresh (concat file ".fresh")))
    (write-region text nil fresh nil 'silent)
    (rename-file fresh file t)
    ;; Emacs tells files apart by their time.
    (set-file-times file (time-add nil (random 1000)))))

(defun text-of (file)
  "The bytes of FILE."
  (with-temp-buffer
    (set-buffer-multibyte nil)
    (insert-file-contents-literally file)
    (buffer-string)))

(defun open-text (text file &optional coding)
  "Open FILE, which gets TEXT in CODING, in the selected window."
  (write-text text file coding)
  (switch-to-buffer (find-file-noselect file)))

(defun sent (method)
  "The params of each METHOD that was sent, the first one first."
  (mapcar #'cdr (reverse (seq-filter (lambda (each) (eq (car each) method))
                                     (mapcar (lambda (each)
                                               (cons (if (stringp (car each))
                                                         (intern (car each))
                                                       (car each))
                                                     (cdr each)))
                                             told)))))

(defun update (file)
  "Answer a round for FILE."
  (funcall (continuo--requested 'activity/update
                                (list :uri (continuo--uri file)))))

(defun restore (file &rest more)
  "Open FILE at a place as the server asks, with MORE params."
  (funcall (continuo--requested
            'document/restore
            (append more (list :request "r1" :uri (continuo--uri file)
                               :offer '(:id "o1" :device "desktop")
                               :status '(:arrival "current"))))))

(defun place (line character &rest more)
  "The place LINE and CHARACTER, with MORE."
  (append (list :position (list :line line :character character)) more))

(defun place-of (answer)
  "Line and character in ANSWER to a round."
  (let ((position (plist-get (plist-get answer :place) :position)))
    (list (plist-get position :line) (plist-get position :character))))

(defun press (keys)
  "Press KEYS in the selected window, through the command loop."
  (execute-kbd-macro (kbd keys)))

;;; Names

(ert-deftest names-of-any-bytes-travel-as-uris ()
  (dolist (name (list "/a/plan.md" "/a b/100%.md" "/é/漢字😀.md" "/a/#?;x"
                      (concat "/a/" (string #x3FFFE9) ".txt")))
    (should (equal name (continuo--file (continuo--uri name)))))
  (should (equal "file:///%C3%A9/a%20b%25" (continuo--uri "/é/a b%")))
  (should (equal "file:///a/%E9" (continuo--uri
                                  (concat "/a/" (string #x3FFFE9)))))
  (should (equal "/é" (continuo--file "file://localhost/é")))
  (should (equal "/a" (continuo--file "file:/a")))
  (should-error (continuo--file "https://example.org/a"))
  (should-error (continuo--file nil)))

;;; Places

(ert-deftest columns-count-characters-of-any-width ()
  (with-continuo
    (let ((file (concat folder "plan.md")))
      (open-text "one\naé😀漢\tz\ne\u0301x\n" file)
      (goto-char (point-min))
      (search-forward "\t")
      (should (equal '(1 5) (place-of (update file))))
      (search-forward "x")
      (should (equal '(2 3) (place-of (update file))))
      (goto-char (point-max))
      (should (equal '(3 0) (place-of (update file)))))))

(ert-deftest a-byte-that-is-no-text-counts-one ()
  (with-continuo
    (let ((file (concat folder "bytes.txt")))
      (let ((coding-system-for-read 'utf-8))
        (open-text "é\xff\xfez\n" file 'raw-text-unix))
      (write-region (unibyte-string #xc3 #xa9 #xff #xfe ?z ?\n) nil file)
      (let ((coding-system-for-read 'utf-8)) (revert-buffer t t))
      (goto-char (point-min))
      (search-forward "z")
      (should (equal '(0 4) (place-of (update file)))))))

(ert-deftest line-ends-and-byte-order-marks-count-nothing ()
  (with-continuo
    (let ((file (concat folder "dos.txt")))
      (open-text "\ufeffone\r\ntwo\r\n" file)
      (goto-char (point-max))
      (should (equal '(2 0) (place-of (update file))))
      (goto-char (point-min))
      (should (equal '(0 0) (place-of (update file))))
      (end-of-line)
      (should (equal '(0 3) (place-of (update file)))))
    ;; Where line ends differ Emacs shows the carriage returns.
    (let ((file (concat folder "mixed.txt")))
      (open-text "one\ntwo\r\nthree\n" file)
      (forward-line 1)
      (end-of-line)
      (should (eql ?\r (char-before)))
      (should (equal '(1 3) (place-of (update file)))))))

(ert-deftest a-narrowed-buffer-counts-from-the-beginning-of-the-file ()
  (with-continuo
    (let ((file (concat folder "plan.md")))
      (open-text "one\ntwo words\nthree\n" file)
      (goto-char (point-min))
      (search-forward "two ")
      (narrow-to-region (point) (line-end-position))
      (forward-char 2)
      (should (equal '(1 6) (place-of (update file))))
      (restore file :place (place 1 5))
      (should (buffer-narrowed-p))
      (should (looking-at "ords"))
      (restore file :place (place 2 1))
      (should-not (buffer-narrowed-p))
      (should (looking-at "hree")))))

(ert-deftest a-clone-shows-the-place-of-its-document ()
  (with-continuo
    (let* ((file (concat folder "plan.md"))
           (base (open-text "one\ntwo\n" file))
           (clone (make-indirect-buffer base "clone" t)))
      (switch-to-buffer clone)
      (goto-char 6)
      (should (equal '(1 1) (place-of (update file))))
      (press "x")
      (should (equal "one\ntxwo\n" (text-of (progn (update file) file))))
      (kill-buffer clone)
      (should (= 1 (length (sent 'document/open)))))))

(ert-deftest the-region-and-the-first-line-belong-to-the-place ()
  (with-continuo
    (let ((file (concat folder "plan.md")))
      (open-text (mapconcat #'number-to-string (number-sequence 1 99) "\n")
                 file)
      (goto-char (point-min))
      (forward-line 50)
      (push-mark (point) t t)
      (forward-char 1)
      (set-window-start (selected-window) (continuo--position
                                           '(:line 45 :character 0)))
      (let ((place (plist-get (update file) :place)))
        (should (equal '(:line 50 :character 0) (plist-get place :selection)))
        (should (= 45 (plist-get place :topLine)))
        (deactivate-mark)
        (goto-char (point-min))
        (should-not (plist-get (plist-get (update file) :place) :selection))
        (restore file :place place)
        (should (use-region-p))
        (should (equal '(50 1) (place-of (update file))))
        (should (equal place (plist-get (update file) :place)))))))

(ert-deftest lines-are-counted-once-and-again-when-the-text-changed ()
  (with-continuo
    (let ((file (concat folder "plan.md")))
      (open-text "one\n\ntwo\n\n\nthree\n" file)
      (dolist (line '(5 0 6 2 2 1 3))
        (goto-char (point-min))
        (forward-line line)
        (should (equal (list :line line :character 0)
                       (continuo--line-column (point)))))
      (save-excursion (goto-char (point-min)) (insert "zero\n"))
      (should (equal '(:line 4 :character 0)
                     (continuo--line-column (point)))))))

(ert-deftest a-place-beyond-the-text-is-the-nearest-one ()
  (with-continuo
    (let ((file (concat folder "plan.md")))
      (open-text "one\ntwo" file)
      (dolist (case '((0 99 4) (1 99 8) (7 0 8) (0 123456789012345 4)))
        (should (= (nth 2 case)
                   (continuo--position (list :line (car case)
                                             :character (cadr case)))))))))

;;; Saving

(ert-deftest a-round-saves-first-and-says-so ()
  (with-continuo
    (let ((file (concat folder "plan.md")))
      (open-text "one\n" file)
      (press "x")
      (let ((answer (update file)))
        (should (eq :json-false (plist-get answer :edited)))
        (should (equal "xone\n" (text-of file)))
        (should (= 1 (length (sent 'document/didSave))))
        (should (equal '(0 1) (place-of answer)))))))

;; Semantics 25g.
(ert-deftest why-a-text-is-not-saved-for-another-device-is-told ()
  (dolist (each
           `((,(lambda (_) nil) nil)
             (,(lambda (_) (read-only-mode 1)) "plan.md is read-only")
             (,(lambda (file) (write-text "other\n" file))
              "plan.md was changed on disk")
             (,(lambda (_) (setq-local continuo-save nil))
              "plan.md is saved only when its person says so")
             (,(lambda (_) (setq-local before-save-hook
                                       (list (lambda () (y-or-n-p "Sure? ")))))
              "plan.md could not be saved without a question")))
    (with-continuo
      (let ((file (concat folder "plan.md")))
        (open-text "one\n" file)
        (press "x")
        (funcall (car each) file)
        (let ((answer (funcall (continuo--requested
                                'activity/update
                                (list :uri (continuo--uri file)
                                      :requestedBy "laptop")))))
          (should (equal (cadr each) (plist-get answer :refusal)))
          (should (eq (if (cadr each) t :json-false)
                      (plist-get answer :edited))))
        (should-not (plist-get (update file) :refusal))))))

(ert-deftest what-cannot-be-saved-without-a-question-is-told-as-edited ()
  (dolist (obstacle
           (list
            (lambda (_) (read-only-mode 1))
            (lambda (file) (write-text "other\n" file))
            (lambda (file) (delete-file file))
            (lambda (_) (setq-local continuo-save nil))
            (lambda (_) (setq-local write-file-functions
                                    (list (lambda () (error "No")))))
            (lambda (_) (setq-local before-save-hook
                                    (list (lambda () (y-or-n-p "Sure? ")))))
            (lambda (_) (setq-local require-final-newline 'ask)
              (goto-char (point-max)) (delete-char -1))))
    (with-continuo
      (let ((file (concat folder "plan.md")))
        (open-text "one\n" file)
        (press "x")
        (funcall obstacle file)
        (let ((before (and (file-exists-p file) (text-of file)))
              (text (buffer-string)))
          (should (eq t (plist-get (update file) :edited)))
          (should (equal before (and (file-exists-p file) (text-of file))))
          (should (equal text (buffer-string)))
          (should (buffer-modified-p)))))))

(ert-deftest blanks-that-were-typed-just-now-stay-at-the-cursor ()
  (with-continuo
    (let ((file (concat folder "plan.md")))
      (open-text "one\ntwo  \n" file)
      (setq-local before-save-hook '(delete-trailing-whitespace))
      (end-of-line)
      (press "SPC SPC")
      (update file)
      (should (equal "one\ntwo\n" (text-of file)))
      (should (equal "one  \ntwo\n" (buffer-string)))
      (should (= 6 (point)))
      (press "x")
      (update file)
      (should (equal "one  x\ntwo\n" (text-of file))))))

(ert-deftest what-a-person-did-not-save-stays-so-when-emacs-ends ()
  (with-continuo
    (let ((file (concat folder "plan.md")))
      (open-text "one\n" file)
      (press "x")
      (let ((continuo--leaving t)) (update file))
      (should (equal "one\n" (text-of file))))))

;;; What is told

(ert-deftest documents-are-told-from-opening-to-closing ()
  (with-continuo
    (let ((file (concat folder "plan.md")) (other (concat folder "b.md")))
      (open-text "one\n" file)
      (press "C-f")
      (should (equal (list (list :uri (continuo--uri file) :edited :json-false))
                     (sent 'document/open)))
      (should (equal (list (list :uri (continuo--uri file)))
                     (sent 'document/becomeCurrent)))
      (press "x C-f C-f y")
      (should-not (sent 'document/didChange))
      (sleep-for 0.3)
      (should (equal (list (list :uri (continuo--uri file) :edited t
                                 :byPerson t))
                     (sent 'document/didChange)))
      (press "M-x ignore RET")
      (sleep-for 0.3)
      (should (= 1 (length (sent 'document/didChange))))
      (write-file other)
      (should (equal (list (list :uri (continuo--uri file)
                                 :newUri (continuo--uri other)))
                     (sent 'document/didMove)))
      (should (equal (list (list :uri (continuo--uri other)))
                     (sent 'document/didSave)))
      (kill-buffer)
      (should (equal (list (list :uri (continuo--uri other)))
                     (sent 'document/close))))))

(ert-deftest other-buffers-are-not-told ()
  (with-continuo
    (switch-to-buffer (get-buffer-create "*notes*"))
    (press "x")
    (find-file folder)
    (kill-buffer)
    (find-file (concat folder "new.md"))
    (press "x")
    (should-not told)
    (save-buffer)
    (press "M-x ignore RET")
    (should (= 1 (length (sent 'document/open))))
    (should (= 1 (length (sent 'document/becomeCurrent))))
    (kill-buffer "*notes*")))

;;; What other devices left

(ert-deftest an-open-document-is-reloaded-and-a-new-one-opened ()
  (with-continuo
    (let ((file (concat folder "plan.md")) (other (concat folder "b.md")))
      (open-text "one\n" file)
      (write-text "one\ntwo\n" file)
      (should (equal '(:opened t) (restore file :place (place 1 2))))
      (should (looking-at "o\n"))
      (should (equal "one\ntwo\n" (buffer-string)))
      (write-text "漢é😀x\n" other)
      (should (equal '(:opened t) (restore other :place (place 0 3))))
      (should (equal other (buffer-file-name (window-buffer))))
      (should (looking-at "x"))
      ;; The first one twice: it was read again.
      (should (equal (list (continuo--uri file) (continuo--uri file)
                           (continuo--uri other))
                     (mapcar (lambda (params) (plist-get params :uri))
                             (sent 'document/open))))
      (should (equal (continuo--uri other)
                     (plist-get (car (last (sent 'document/becomeCurrent)))
                                :uri))))))

(ert-deftest unsaved-text-is-never-given-up ()
  (with-continuo
    (let ((file (concat folder "plan.md")))
      (open-text "one\n" file)
      (press "x")
      (write-text "two\n" file)
      (let ((answer (restore file :place (place 0 1))))
        (should (eq :json-false (plist-get answer :opened)))
        (should (string-match "write-file" (plist-get answer :message))))
      (should (equal "xone\n" (buffer-string)))
      (should (equal "two\n" (text-of file)))
      (continuo--notified 'document/changedOnDisk
                          (list :uri (continuo--uri file) :change "changed"))
      (should (equal "xone\n" (buffer-string)))
      (should (string-match "unsaved text is kept" (car shown))))))

(ert-deftest unsaved-text-on-the-version-that-was-left-stays-and-is-shown ()
  (with-continuo
    (let ((file (concat folder "plan.md")))
      (open-text "one\ntwo\n" file)
      (press "x")
      (should (equal '(:opened t) (restore file :place (place 1 1))))
      (should (equal "xone\ntwo\n" (buffer-string)))
      (should (looking-at "wo")))))

(ert-deftest a-file-that-cannot-be-read-is-not-opened ()
  (with-continuo
    (let ((answer (restore (concat folder "away.md") :place (place 0 1))))
      (should (eq :json-false (plist-get answer :opened)))
      (should-not (get-buffer "away.md")))))

(ert-deftest point-stays-where-a-person-works-and-jumps-when-asked ()
  (with-continuo
    (let ((file (concat folder "plan.md")))
      (open-text "one\ntwo\nthree\n" file)
      (goto-char (point-min))
      (press "C-f")
      (continuo--accepting "r1")
      (press "C-n")
      (should (equal '(:opened t) (restore file :place (place 2 4))))
      (should (equal '(1 1) (place-of (update file))))
      (should (string-match "continuo-jump" (car shown)))
      (continuo-jump)
      (should (equal '(2 4) (place-of (update file))))
      ;; The next one begins anew.
      (goto-char (point-min))
      (setq continuo--accepted nil)
      (continuo--accepting "r1")
      (restore file :place (place 2 4))
      (should (equal '(2 4) (place-of (update file)))))))

(ert-deftest somebody-who-went-on-elsewhere-keeps-the-window ()
  (with-continuo
    (let ((file (concat folder "plan.md")))
      (write-text "one\ntwo\n" file)
      (switch-to-buffer (get-buffer-create "notes"))
      (continuo--accepting "r1")
      (press "a b c")
      (restore file :place (place 1 1))
      (should (equal "notes" (buffer-name (window-buffer))))
      (let ((window (get-buffer-window (find-buffer-visiting file))))
        (should window)
        (should (= 6 (window-point window))))
      (kill-buffer "notes"))))

(ert-deftest what-is-only-for-reading-is-so ()
  (with-continuo
    (let ((file (concat folder "plan.md")))
      (write-text "one\n" file)
      (restore file :readOnly :json-false)
      (should-not buffer-read-only)
      (restore file :readOnly t)
      (should buffer-read-only)
      (restore file :readOnly :json-false)
      (should-not buffer-read-only)
      (read-only-mode 1)
      (restore file :readOnly t)
      (restore file :readOnly :json-false)
      (should buffer-read-only))))

(ert-deftest a-file-asks-nothing-when-it-is-opened-for-somebody ()
  (with-continuo
    (let ((file (concat folder "plan.txt")))
      (write-text "x -*- eval: (setq told 'tricked); -*-\n" file)
      (should (equal '(:opened t) (restore file)))
      (should-not (eq told 'tricked)))
    (let ((file (concat folder "big.txt"))
          (large-file-warning-threshold 10))
      (write-text "more than ten bytes\n" file)
      (should (equal '(:opened t) (restore file))))))

(ert-deftest a-document-follows-its-file ()
  (with-continuo
    (let ((file (concat folder "plan.md")) (other (concat folder "b.txt")))
      (open-text "one\n" file)
      (press "x")
      (rename-file file other)
      (continuo--notified 'document/changedOnDisk
                          (list :uri (continuo--uri file) :change "moved"
                                :newUri (continuo--uri other)))
      (should (equal other buffer-file-name))
      (should (buffer-modified-p))
      (should (equal (list (list :uri (continuo--uri file)
                                 :newUri (continuo--uri other)))
                     (sent 'document/didMove)))
      (update other)
      (should (equal "xone\n" (text-of other))))))

(ert-deftest a-document-that-follows-its-file-stays-saved ()
  (with-continuo
    (let ((file (concat folder "plan.md")) (other (concat folder "b.md")))
      (open-text "one\n" file)
      (rename-file file other)
      (continuo--notified 'document/changedOnDisk
                          (list :uri (continuo--uri file) :change "moved"
                                :newUri (continuo--uri other)))
      (should (equal other buffer-file-name))
      (should-not (buffer-modified-p))
      (should (verify-visited-file-modtime)))))

(ert-deftest news-of-a-file-are-taken-in-without-loss ()
  (with-continuo
    (let* ((file (concat folder "plan.md")) (uri (continuo--uri file)))
      (open-text "one\ntwo\nthree\n" file)
      (goto-char (point-min))
      (search-forward "two")
      (write-text "zero\none\ntwo\nthree\n" file)
      (continuo--notified 'document/changedOnDisk
                          (list :uri uri :change "changed"))
      (should (equal "zero\none\ntwo\nthree\n" (buffer-string)))
      (should (equal '(2 3) (place-of (update file))))
      (delete-file file)
      (continuo--notified 'document/changedOnDisk
                          (list :uri uri :change "deleted"))
      (should (equal "zero\none\ntwo\nthree\n" (buffer-string)))
      (should (string-match "deleted" (car shown)))
      (continuo--notified
       'document/changedOnDisk
       (list :uri uri :change "conflict"
             :copies (vector (continuo--uri (concat folder "é (2).md")))))
      (should (string-match "é (2).md" (car shown))))))

(ert-deftest an-offer-is-told-once-and-continued-by-its-command ()
  (with-continuo
    (let ((offers [(:id "o1" :device "desktop" :type "public.text-editing"
                        :title "plan.md" :path "notes/plan.md" :folder "Notes"
                        :changedAt 1700000000000 :unsavedChanges :json-false)]))
      (continuo--notified 'offers/didChange (list :offers offers))
      (should (string-match "plan.md from desktop" (car shown)))
      (should (string-match "plan.md" (continuo--lighter)))
      (setq shown nil)
      (continuo--notified 'offers/didChange (list :offers offers))
      (should-not shown)
      (press "M-x continuo-resume RET")
      (should (equal '((:offer "o1")) (sent 'continuation/accept)))
      (continuo--notified 'offers/didChange '(:offers []))
      (should-error (call-interactively #'continuo-resume)))))

(ert-deftest an-offer-that-was-left-behind-counts-for-nothing ()
  (with-continuo
    (let ((older '(:id "o1" :device "desktop" :path "a/plan.md" :changedAt 1))
          (newer '(:id "o2" :device "desktop" :path "a/plan.md" :changedAt 2))
          (other '(:id "o3" :device "desktop" :path "b/plan.md" :changedAt 0)))
      (continuo--notified 'offers/didChange
                          (list :offers (vector older newer other)))
      (should (equal (list newer other) continuo--offers)))))

(ert-deftest several-offers-are-a-choice ()
  (with-continuo
    (continuo--notified
     'offers/didChange
     '(:offers [(:id "o1" :device "desktop" :title "plan.md")
                (:id "o2" :device "phone" :title "list.md")]))
    (press "M-x continuo-resume RET list TAB RET")
    (should (equal '((:offer "o2")) (sent 'continuation/accept)))))

(ert-deftest waiting-is-told-with-its-reason-and-can-be-ended ()
  (with-continuo
    (let ((offer '(:id "o1" :device "desktop" :title "plan.md")))
      (continuo--notified 'continuation/willContinue
                          (list :request "r1" :offer offer))
      (continuo--notified
       'continuation/progress
       (list :request "r1" :offer offer
             :status '(:arrival "behind" :reason "an older version is here"
                                :received 1000000 :expected 3000000)))
      (should (string-match "older version is here (1 MB of 3 MB)" (car shown)))
      (cl-letf (((symbol-function 'read-multiple-choice)
                 (lambda (&rest _) '(?o "open here"))))
        (continuo-choose))
      (should (equal '((:request "r1" :choice "openHere"))
                     (sent 'continuation/choose)))
      (continuo-cancel)
      (should (equal '((:request "r1")) (sent 'continuation/cancel)))
      (setq shown nil)
      (continuo--notified 'continuation/didFail
                          '(:request "r1" :message "no" :shown :json-false))
      (should-not shown)
      (should-error (continuo-choose)))))

(ert-deftest what-is-open-together-comes-with-a-prefix-and-behind-the-rest ()
  (with-continuo
    (let* ((front (expand-file-name "far.md" folder))
           (other (expand-file-name "a.md" folder))
           (beside '(:id "o2" :device "desktop" :path "a.md" :title "a.md"))
           (offer (list :id "o1" :device "desktop" :path "far.md"
                        :title "far.md" :openedBeside (vector beside))))
      (write-text "far\n" front)
      (write-text "a\n" other)
      (continuo--notified 'offers/didChange (list :offers (vector offer)))
      (should (string-match "1 more open there" (continuo--describe offer)))
      (press "C-u M-x continuo-resume RET")
      (should (equal '((:offer "o1" :openDocuments t))
                     (sent 'continuation/accept)))
      (dolist (each `(("r1" ,offer ,front) ("r2" ,beside ,other)))
        (pcase-let ((`(,request ,offered ,path) each))
          (continuo--notified 'continuation/willContinue
                              (list :request request :offer offered))
          (should (equal '(:opened t)
                         (continuo--restore
                          (list :request request :offer offered
                                :uri (continuo--uri path)))))))
      (should (equal front (buffer-file-name)))
      (should (get-file-buffer other))
      (should-not continuo--waits))))

(ert-deftest of-several-that-wait-one-is-decided-about ()
  (with-continuo
    (dolist (each '(("r1" . "plan.md") ("r2" . "list.md")))
      (continuo--notified
       'continuation/progress
       (list :request (car each)
             :offer (list :id (car each) :device "desktop" :title (cdr each))
             :status '(:arrival "diverged" :reason "why"))))
    (cl-letf (((symbol-function 'completing-read)
               (lambda (_ names &rest _)
                 (car (seq-find (lambda (each) (string-match "plan" (car each)))
                                names)))))
      (continuo-cancel))
    (should (equal '((:request "r1")) (sent 'continuation/cancel)))
    (continuo--notified 'continuation/didFail '(:request "r1" :message "no"))
    (continuo-cancel)
    (should (equal '(:request "r2") (car (last (sent 'continuation/cancel)))))))

;;; Names are data

(defun hostile-names ()
  "The names of Fixtures/hostile-names.txt and each byte, as Emacs decodes them."
  (let ((names nil))
    (with-temp-buffer
      (set-buffer-multibyte nil)
      (insert-file-contents-literally
       (expand-file-name "../../../Fixtures/hostile-names.txt" tests-folder))
      (dolist (line (split-string (buffer-string) "\n" t))
        (unless (string-prefix-p "#" line)
          (push (replace-regexp-in-string
                 "\\\\x\\([[:xdigit:]][[:xdigit:]]\\)"
                 (lambda (escape)
                   (unibyte-string (string-to-number (substring escape 2) 16)))
                 line t t)
                names))))
    (should (> (length names) 50))
    (dolist (byte (number-sequence 1 255))
      (unless (memq byte '(?/ ?.)) (push (unibyte-string byte) names))
      (unless (eql byte ?/) (push (unibyte-string ?a byte ?b) names)))
    (seq-uniq (nreverse names))))

(defun uri-of (name)
  "The URI of the bytes NAME in `folder', each of them escaped."
  (concat "file://" folder
          (mapconcat (lambda (byte) (format "%%%02X" byte)) name "")))

(defun make-file (name text)
  "Make a file of the bytes NAME in `folder' with TEXT, past Emacs's coding."
  (let ((file-name-handler-alist nil)
        (file-name-coding-system 'no-conversion))
    (write-region text nil (concat folder name) nil 'silent)))

(defun bytes-of (file)
  "The bytes of the name of FILE, the last part."
  (encode-coding-string (substring file (length folder)) 'utf-8-unix))

(defun should-be-clean (text)
  "Check that TEXT is one line in which nothing hides."
  (should-not (string-match-p "[\0-\x1f\x7f]" text))
  (should-not (seq-some (lambda (char)
                          (or (<= #x80 char #x9f) (<= #x200b char #x200f)
                              (<= #x2028 char #x202e) (<= #x2066 char #x2069)
                              (<= #xe0000 char #xe0fff) (> char #x10ffff)))
                        text))
  (should (json-serialize text)))

(defun should-be-unhurt ()
  "Check that no name ran anything."
  (should-not (directory-files folder nil "\\`pwned"))
  (should-not (file-exists-p "pwned")))

(ert-deftest a-name-is-data-when-it-is-continued-and-when-it-is-moved-to ()
  (with-continuo
    (let ((default-directory folder) (make-backup-files t) (backup-by-copying t)
          (version-control 'never)
          (jka-compr-verbose nil) (last nil) (count 0)
          (names (hostile-names)))
      (dolist (name names)
        (ert-info ((format "%S" name))
          (let ((text (format "text %d\n" (cl-incf count))))
            (make-file name text)
            (setq shown nil)
            (should (equal '(:opened t)
                           (funcall (continuo--requested
                                     'document/restore
                                     (list :request "r1" :uri (uri-of name)
                                           :offer (list :id "o1" :device
                                                        (decode-coding-string
                                                         name 'utf-8-unix)))))))
            (should (equal name (bytes-of buffer-file-name)))
            (should (equal text (buffer-string)))
            (should (equal (url-unhex-string (uri-of name) t)
                           (url-unhex-string continuo--uri t)))
            ;; Emacs opens what looks like a backup for reading.
            (when buffer-read-only (read-only-mode -1))
            (goto-char (point-min))
            (press "x")
            (should (eq :json-false
                        (plist-get (funcall (continuo--requested
                                             'activity/update
                                             (list :uri (uri-of name))))
                                   :edited)))
            (should (equal (concat "x" text) (text-of buffer-file-name)))
            (mapc #'should-be-clean shown)
            (should-be-unhurt)
            (set-buffer-modified-p nil)
            (kill-buffer))))
      ;; Each is moved away, and followed.
      (mapc #'delete-file (directory-files folder t "[^.]\\|\\.\\.\\." t))
      (make-file "plan.md" "one\n")
      (switch-to-buffer (find-file-noselect (concat folder "plan.md")))
      (setq last (concat folder "plan.md"))
      (dolist (name names)
        (ert-info ((format "%S" name))
          (let ((file (continuo--file (uri-of name)))
                (uri (continuo--uri last)))
            (rename-file last file)
            (setq shown nil last file)
            (continuo--notified 'document/changedOnDisk
                                (list :uri uri :change "moved"
                                      :newUri (uri-of name)))
            (should (equal name (bytes-of buffer-file-name)))
            (press "x")
            (funcall (continuo--requested 'activity/update
                                          (list :uri (uri-of name))))
            (should (equal (buffer-string) (text-of file)))
            (continuo--notified 'document/changedOnDisk
                                (list :uri (uri-of name) :change "conflict"
                                      :copies (vector (uri-of name))))
            (continuo--notified 'document/changedOnDisk
                                (list :uri (uri-of name) :change "deleted"))
            (mapc #'should-be-clean shown)
            (should-be-unhurt)))))))

(defun answer (method result)
  "Answer what was asked last by METHOD with RESULT."
  (let ((asked (seq-find (lambda (each) (equal (car each) method)) answers)))
    (funcall (cdr asked) result)))

(defvar answers nil "What waits for an answer, the last first.")

(defmacro with-answers (&rest body)
  "Run BODY, in which requests wait for `answer' in the same tick."
  (declare (indent 0))
  `(let ((answers nil) (later (symbol-function 'run-at-time)))
     (cl-letf (((symbol-function 'continuo--request)
                (lambda (method params &optional done)
                  (push (cons method params) told)
                  (push (cons method (or done #'ignore)) answers)))
               ((symbol-function 'run-at-time)
                (lambda (time repeat function &rest arguments)
                  (if (memq function
                            '(continuo--choose-version continuo--kept))
                      (apply function arguments)
                    (apply later time repeat function arguments)))))
       ,@body)))

(defun versions-of (name copy)
  "What the server lists for the file NAME with the conflict copy COPY."
  (list :versions
        (vector (list :uri (uri-of name) :document t :changedAt 1000 :size 4
                      :readable t)
                (list :uri (uri-of copy) :document :json-false :device "D\e[1m"
                      :putAside "2026-11-22" :changedAt 2000 :size 5
                      :readable t))))

(ert-deftest a-version-is-kept-and-the-file-is-read-again ()
  (with-continuo
    (let ((default-directory folder) (asked nil))
      (dolist (name (seq-take (hostile-names) 60))
        (when (< (length name) 200)
          (ert-info ((format "%S" name))
            (make-file name "mine\n")
            (switch-to-buffer
             (find-file-noselect (continuo--file (uri-of name))))
            (with-answers
              (cl-letf (((symbol-function 'completing-read)
                         (lambda (_prompt choices &rest _)
                           (setq asked (mapcar #'car choices))
                           (caar (last choices)))))
                (continuo-resolve)
                (answer 'document/versions (versions-of name (concat name "2")))
                (should (= 3 (length asked)))
                (mapc #'should-be-clean asked)
                (should (equal (uri-of (concat name "2"))
                               (plist-get (car (sent 'document/resolve)) :keep)))
                (make-file name "theirs\n")
                (setq shown nil)
                (answer 'document/resolve
                        (list :aside (vector (list :from (uri-of name)
                                                   :uri (uri-of "aside")))))
                (should (equal "theirs\n" (buffer-string)))
                (mapc #'should-be-clean shown)
                (should-be-unhurt)
                (setq told nil)
                (kill-buffer)))))))))

(ert-deftest unsaved-text-is-not-resolved-away ()
  (with-continuo
    (open-text "mine\n" (concat folder "plan.md"))
    (insert "more")
    (with-answers
      (cl-letf (((symbol-function 'completing-read)
                 (lambda (_prompt choices &rest _) (caar (last choices)))))
        (continuo-resolve)
        (should-error (answer 'document/versions
                              (versions-of "plan.md" "copy.md"))
                      :type 'user-error)
        (should-not (sent 'document/resolve))
        (answer 'document/versions (list :versions []))
        (should (string-search "No conflict copy" (car shown)))))))

(ert-deftest titles-devices-and-reasons-are-data ()
  (with-continuo
    (let ((default-directory folder))
      (dolist (bytes (hostile-names))
        (ert-info ((format "%S" bytes))
          (let* ((name (decode-coding-string bytes 'utf-8-unix))
                 (offer (list :id "o1" :device name :title name :type name
                              :folder name :remark name :changedAt 1
                              :status (list :arrival "behind" :reason name)))
                 (about (list :request "r1" :offer offer
                              :status (list :arrival "behind" :reason name))))
            (setq shown nil)
            (continuo--take 'offers/didChange (list :offers (vector offer)))
            ;; Of two % the mode line shows one, and begins no construct.
            (let ((line (string-replace "%%" "\0" (continuo--lighter))))
              (should-not (string-search "%" line))
              (setq line (string-replace "\0" "%" line))
              (should-be-clean line)
              (should (string-suffix-p (continuo--clean name) line)))
            (should-be-clean (continuo--describe offer))
            (let ((message-log-max nil)) (continuo-status))
            (dolist (line (split-string (car shown) "\n"))
              (should-be-clean line))
            (pop shown)
            (save-window-excursion
              (continuo-offers)
              (dolist (line (split-string (with-current-buffer "*Continuo*"
                                            (buffer-string))
                                          "\n"))
                (should-be-clean line)))
            (setq shown (seq-remove (lambda (each)
                                      (string-match-p "\\`Type " each))
                                    shown))
            (continuo--notified 'offers/didChange
                                (list :offers (vector offer offer)))
            (continuo--notified 'continuation/willContinue about)
            (continuo--notified 'continuation/progress about)
            (should-be-clean (continuo--progress about))
            (continuo--notified 'activity/wasContinued (list :device name))
            (continuo--notified 'continuation/didFail
                                (list :request "r1" :message name))
            (mapc #'should-be-clean shown)
            (should-be-unhurt))))
      (continuo--notified 'offers/didChange '(:offers [])))))

(ert-deftest who-goes-on-with-a-document-is-said-until-it-is-changed-here ()
  (with-continuo
    (let* ((file (concat folder "plan.md"))
           (uri (continuo--uri file))
           (now (float-time))
           (line (format-time-string "continued on laptop 100%% at %R" now)))
      (open-text "one\n" file)
      (press "C-f")
      (sleep-for 0.3)
      (let ((answers '(:editors [(:device "phone" :since 1700000000000
                                  :unsavedChanges t :leftOpen :json-false)])))
        (cl-letf (((symbol-function 'continuo--request)
                   (lambda (_method _params &optional done)
                     (funcall done answers))))
          (continuo--notified 'offers/didChange '(:offers []))))
      (should (string-suffix-p
               (concat " phone is editing this since "
                       (format-time-string "%F %R" 1700000000)
                       ", with unsaved changes")
               (continuo--lighter)))
      (continuo--notified
       'activity/wasContinued
       (list :uri uri :device "laptop 100%" :givenUp t
             :at (truncate (* 1000 now))))
      (should (string-suffix-p (string-replace "%" "%%" line)
                               (continuo--lighter)))
      ;; An offer stands beside it.
      (cl-letf (((symbol-function 'continuo--request) #'ignore))
        (continuo--notified
         'offers/didChange
         '(:offers [(:id "o1" :device "laptop" :title "other.md"
                     :changedAt 1 :status (:arrival "current"))]))
        (should (string-suffix-p
                 (concat " other.md -- " (string-replace "%" "%%" line))
                 (continuo--lighter)))
        (continuo--notified 'offers/didChange '(:offers [])))
      ;; The other device's save is read; that is nothing that the person did.
      (write-region "one\ntwo\n" nil file nil 'quiet)
      (continuo--disk (list :uri uri :change "changed"))
      (sleep-for 0.3)
      (should (equal "one\ntwo\n" (buffer-string)))
      (should (equal :json-false
                     (plist-get (car (last (sent 'document/didChange)))
                                :byPerson)))
      (should continuo--continued)
      (press "x")
      (should-not continuo--continued)
      (sleep-for 0.3)
      (should (eq t (plist-get (car (last (sent 'document/didChange)))
                               :byPerson))))))

(ert-deftest who-has-the-document-open-is-shown-with-the-line-until-it-is-left ()
  (with-continuo
    (let* ((file (concat folder "plan.md"))
           (uri (continuo--uri file)))
      (open-text "one\ntwo\nthree\n" file)
      (goto-char (point-min))
      (press "C-n")
      (should-not (sent 'document/cursorDidMove))
      (continuo--take
       'document/presenceDidChange
       (list :uri uri :devices
             (vector '(:device "laptop 100%" :offer "o" :line 1)
                     '(:device "phone" :offer "o" :line 700)
                     '(:device "tablet" :offer "o"))))
      (should (string-suffix-p
               (concat " laptop 100%% has this open, at line 2; phone has this "
                       "open, at line 701; tablet has this open")
               (continuo--lighter)))
      (should (equal '((" ◂ laptop 100%" . 2) (" ◂ phone" . 4))
                     (mapcar (lambda (mark)
                               (cons (substring-no-properties
                                      (overlay-get mark 'after-string))
                                     (line-number-at-pos (overlay-start mark))))
                             continuo--marks)))
      (let ((clone (clone-indirect-buffer "a clone" nil)))
        (with-current-buffer clone
          (should-not (overlays-in (point-min) (point-max)))
          (should-not continuo--present))
        (kill-buffer clone))
      (should (= 2 (length (overlays-in (point-min) (point-max)))))
      ;; Where the cursor is here is told as long as somebody is there.
      (press "C-f")
      (press "C-n")
      (should (equal '(1 2)
                     (mapcar (lambda (params) (plist-get params :line))
                             (sent 'document/cursorDidMove))))
      (continuo--take 'document/presenceDidChange
                      (list :uri uri :devices []))
      (should-not (overlays-in (point-min) (point-max)))
      (should-not (continuo--elsewhere))
      (press "C-p")
      (should (equal 2 (length (sent 'document/cursorDidMove)))))))

(ert-deftest a-name-of-a-file-elsewhere-is-not-opened ()
  (with-continuo
    (let ((tramp-mode t) (reached nil))
      (require 'tramp)
      (cl-letf (((symbol-function 'tramp-send-command)
                 (lambda (&rest _) (setq reached t)))
                ((symbol-function 'tramp-maybe-open-connection)
                 (lambda (&rest _) (setq reached t) (error "No"))))
        (dolist (uri '("file:///ssh:nobody:/tmp/plan.md"
                       "file:///sudo::/etc/hostname"
                       "file:///:/etc/hostname"))
          (let ((answer (funcall (continuo--requested
                                  'document/restore
                                  (list :request "r1" :uri uri)))))
            (should (eq :json-false (plist-get answer :opened)))
            (should (string-match-p "elsewhere" (plist-get answer :message)))))
        (open-text "one\n" (concat folder "plan.md"))
        (let ((uri continuo--uri))
          (delete-file buffer-file-name)
          (continuo--notified 'document/changedOnDisk
                              (list :uri uri :change "moved"
                                    :newUri "file:///sudo::/tmp/x")))
        (should (equal (concat folder "plan.md") buffer-file-name))
        (should-not reached)))
    (should-error (continuo--file "file:///a%00b"))))

(ert-deftest a-joiner-stays-where-it-joins ()
  (dolist (pair '(("می\u200cخواهم" . "می\u200cخواهم")
                  ("👨\u200d👩\u200d👧" . "👨\u200d👩\u200d👧")
                  ("a\u200cb\u200d" . "ab") ("م\u200c\u200cم\u200c" . "مم")
                  ("م\u200d\u2028م" . "م م")))
    (should (equal (continuo--clean (car pair)) (cdr pair)))
    (should (equal (continuo--clean (cdr pair)) (cdr pair)))))

(ert-deftest a-copy-that-moves-in-another-folder-leads-no-buffer-away ()
  (with-continuo
    (let ((file (concat folder "plan.md")) (other (concat folder "second.md")))
      (write-text "one\n" other)
      (open-text "one\n" file)
      (continuo--notified 'document/changedOnDisk
                          (list :uri (continuo--uri file) :change "moved"
                                :newUri (continuo--uri other)))
      (press "x")
      (update file)
      (should (equal "xone\n" (text-of file)))
      (should (equal "one\n" (text-of other))))))

(ert-deftest of-a-new-file-it-is-told-when-it-is-offered ()
  (with-continuo
    (let ((file (concat folder "new.md")) (answer nil))
      (make-directory (concat folder ".continuo"))
      (cl-letf (((symbol-function 'continuo--request)
                 (lambda (method params &optional done)
                   (push (cons method params) told)
                   (when (and done (eq method 'document/open))
                     (push (lambda () (funcall done '(:synced t :folder "Notes")))
                           answer)))))
        (find-file file)
        (mapc #'funcall answer)
        (should (equal '(document/close document/open) (mapcar #'car told)))
        (should (string-match-p "new.md is new in Notes: .* after C-x C-s"
                                (car shown)))
        (setq shown nil)
        (continuo--notified 'document/changedOnDisk
                            (list :uri (continuo--uri file) :change "deleted"))
        (should-not shown)
        (continuo-status)
        (should (string-match-p "offered after C-x C-s" (car shown)))
        (setq shown nil)
        (insert "x")
        (save-buffer)
        (should (= 2 (length (sent 'document/open))))
        (should (= 1 (length (sent 'document/close))))
        (should-not (seq-find (lambda (each) (string-match-p "is new in" each))
                              shown))))))

;;; The server

(ert-deftest a-server-that-dies-is-started-again-and-not-for-ever ()
  (let* ((starts (make-temp-file "continuo"))
         (continuo--pause 0.01)
         (continuo-command (list "sh" "-c" (format "echo x >> %s" starts)))
         (limit (+ (float-time) 60)))
    (unwind-protect
        (progn
          (continuo-mode 1)
          (while (and (not continuo--trouble) (< (float-time) limit))
            (accept-process-output nil 0.05))
          (should (string-match "five times" continuo--trouble))
          (should-not continuo--timer)
          (should (equal "x\nx\nx\nx\nx\n" (text-of starts)))
          (should-not continuo--connection))
      (continuo-mode -1)
      (setq continuo--trouble nil)
      (delete-file starts))))

(ert-deftest a-server-that-is-not-installed-is-told-once ()
  (let ((continuo-command '("no-such-program" "serve")) (shown nil))
    (advice-add 'message :before #'note-shown)
    (unwind-protect
        (progn
          (continuo-mode 1)
          (should (string-match "no-such-program.*exec-path" (car shown)))
          (should (= 1 (length shown)))
          (find-file (make-temp-file "continuo"))
          (delete-file buffer-file-name)
          (kill-buffer)
          (should-not (seq-find (lambda (each)
                                  (string-match "no-such-program" each))
                                (butlast shown))))
      (continuo-mode -1)
      (setq continuo--trouble nil)
      (advice-remove 'message #'note-shown))))

(ert-deftest a-request-is-answered-outside-of-the-filter ()
  (let* ((answers nil)
         (connection (make-instance 'kept-connection :name "kept")))
    (cl-letf (((symbol-function 'jsonrpc-connection-send)
               (lambda (_ &rest arguments) (push arguments answers))))
      (continuo--answer connection 7 (lambda () '(:opened t)))
      (continuo--answer connection 8 (lambda () (error "No"))))
    (should (equal '(:id 7 :result (:opened t)) (cadr answers)))
    (should (equal "No" (plist-get (plist-get (car answers) :error)
                                   :message)))
    (should-error (continuo--requested 'something/else nil)
                  :type 'jsonrpc-error)))

(load (expand-file-name "leaving-tests.el" tests-folder) nil t)
(load (expand-file-name "recent-tests.el" tests-folder) nil t)

;;; Text without a file

(defmacro with-draft (text &rest body)
  "Run BODY in a buffer without a file in which TEXT was typed."
  (declare (indent 1))
  `(with-continuo
     (with-answers
       (unwind-protect
           (progn
             (switch-to-buffer (get-buffer-create "thoughts"))
             (insert ,text)
             (press "M-x ignore RET")
             (answer 'activity/create '(:activity "d1"))
             ,@body)
         (dolist (buffer (buffer-list))
           (when (string-match-p "\\`\\(thoughts\\|Untitled\\|a\\)"
                                 (buffer-name buffer))
             (with-current-buffer buffer (set-buffer-modified-p nil))
             (kill-buffer buffer)))))))

(defun draft-round (&optional device)
  "Answer a round of a draft, for DEVICE."
  (funcall (continuo--requested 'activity/update
                                (list :activity "d1" :requestedBy device))))

(defun take-draft (text &rest more)
  "Open TEXT from another device, with MORE params."
  (funcall (continuo--requested
            'document/restore
            (append more (list :request "r1" :draft text
                               :offer '(:id "o1" :device "desktop"
                                        :title "Untitled"))))))

(ert-deftest text-without-a-file-is-offered-and-handed-over-when-asked-for ()
  (with-draft "one\ntwo"
    (should (equal '(:type "public.text-editing" :draft t :title "thoughts")
                   (car (sent 'activity/create))))
    (should (equal '((:activity "d1")) (sent 'activity/becomeCurrent)))
    (should (equal '(:edited t :title "thoughts") (draft-round)))
    (let ((asked (draft-round "laptop")))
      (should (equal "one\ntwo" (plist-get asked :draft)))
      (should (equal '(1 3) (place-of asked))))
    (should-not (sent 'document/open))))

(ert-deftest a-draft-that-changes-is-told-and-one-that-is-saved-has-ended ()
  (with-draft "one"
    (insert "!")
    (press "M-x ignore RET")
    (continuo--draft-tell)
    (should (= 1 (length (sent 'activity/set))))
    (continuo--draft-tell)
    (should (= 1 (length (sent 'activity/set))))
    (write-file (concat folder "kept.md"))
    (press "M-x ignore RET")
    (should (equal '((:activity "d1")) (sent 'activity/invalidate)))
    (should (= 1 (length (sent 'document/open))))))

(ert-deftest a-draft-that-is-killed-has-ended ()
  (with-draft "one"
    (set-buffer-modified-p nil)
    (kill-buffer)
    (should (equal '((:activity "d1")) (sent 'activity/invalidate)))))

(ert-deftest a-draft-that-is-too-large-or-no-text-is-refused ()
  (with-draft "one"
    (insert-char #x3fff80)
    (should (string-match-p "not UTF-8"
                            (plist-get (draft-round "laptop") :refusal)))
    (erase-buffer)
    (insert (make-string 4194305 ?x))
    (should (string-match-p "too large"
                            (plist-get (draft-round "laptop") :refusal)))
    (should-not (plist-get (draft-round "laptop") :draft))))

(ert-deftest a-text-from-elsewhere-comes-into-a-new-buffer ()
  (with-draft "mine"
    (should (equal '(:opened t)
                   (take-draft "one\ntwo\n" :place (place 1 2))))
    (should (equal "one\ntwo\n" (buffer-string)))
    (should (looking-at "o\n"))
    (should (and (buffer-modified-p) (not buffer-file-name)
                 (not buffer-auto-save-file-name)))
    (should (equal "mine" (with-current-buffer "thoughts" (buffer-string))))
    (should (member "Continuo: Untitled from desktop is here; it is in no \
file yet" shown))
    (should (= 2 (length (sent 'activity/create))))))

(ert-deftest nothing-in-a-text-or-its-title-is-carried-out ()
  (with-draft "mine"
    (let ((text "-*- mode: emacs-lisp; eval: (error \"\") -*-\r\n%%\r\n"))
      (take-draft text :offer '(:device "d\e[1m" :title "*a\n%s"))
      (should (eq major-mode 'text-mode))
      (should-not (string-prefix-p "*" (buffer-name)))
      (should (equal (string-replace "\r\n" "\n" text) (buffer-string)))
      (should (equal text (continuo--draft-text))))))

(ert-deftest where-a-draft-was-continued-is-told-until-it-changes ()
  (with-draft "one"
    (continuo--notified 'activity/wasContinued
                        '(:activity "d1" :device "laptop" :givenUp t))
    (should (equal "continued on laptop" continuo--continued))
    (insert "!")
    (press "M-x ignore RET")
    (should-not continuo--continued)))

(ert-deftest a-draft-of-which-nothing-was-typed-since-it-went-is-not-taken-back ()
  (with-draft "one"
    (insert "!")
    (press "M-x ignore RET")
    (should (equal "one!" (plist-get (draft-round "laptop") :draft)))
    (continuo--notified 'activity/wasContinued
                        '(:activity "d1" :device "laptop" :givenUp t))
    (continuo--draft-tell)
    (should-not (sent 'activity/set))
    (press "M-x ignore RET")
    (should continuo--continued)
    (insert "?")
    (press "M-x ignore RET")
    (continuo--draft-tell)
    (should (= 1 (length (sent 'activity/set))))))

(ert-deftest a-clone-of-a-draft-is-its-draft ()
  (dolist (clone '(t nil))
    (with-draft "one"
      (let ((buffer (make-indirect-buffer (current-buffer) "a clone" clone)))
        (with-current-buffer buffer (setq continuo--draft (and clone "d1")))
        (switch-to-buffer buffer)
        (goto-char (point-max))
        (insert "!")
        (press "M-x ignore RET")
        (sleep-for 0.4)
        (should (= 1 (length (sent 'activity/set))))
        (should (equal "one!" (plist-get (draft-round "laptop") :draft)))
        (kill-buffer buffer)
        (should-not (sent 'activity/invalidate))
        (should (= 1 (length (sent 'activity/create))))))))

(ert-deftest a-copy-of-a-draft-is-a-draft-of-its-own ()
  (with-draft "one"
    (let ((copy (clone-buffer "a copy")))
      (should (equal "one" (plist-get (draft-round "laptop") :draft)))
      (with-current-buffer copy
        (should-not continuo--draft)
        (set-buffer-modified-p nil))
      (kill-buffer copy)
      (should-not (sent 'activity/invalidate)))))

(ert-deftest a-text-goes-on-as-it-came-whatever-its-line-ends ()
  (let ((default (default-value 'buffer-file-coding-system))
        (mode-require-final-newline nil))
    (unwind-protect
        (dolist (coding '(utf-8-unix utf-8-dos))
          (setq-default buffer-file-coding-system coding)
          (with-draft "mine"
            (dolist (text '("a\r\nb\n" "\n\r\n" "a\r\nb\r\n" "a\rb" "a\r\r\n" "\n"
                            "a\nb" "\0é😀\u2028\n"
                            "\ufeffa\n" "\ufeffa\r\nb\r\n" "a\ufeff\n"))
              (take-draft text)
              (should (equal text (continuo--draft-text)))
              (write-file (concat folder "kept.txt"))
              (should (equal (encode-coding-string text 'utf-8-unix)
                             (text-of (concat folder "kept.txt"))))
              (kill-buffer))
            (set-buffer "thoughts")
            (setq buffer-file-coding-system 'utf-8-mac)
            (insert "\n")
            (should (equal "mine\r" (continuo--draft-text)))))
      (setq-default buffer-file-coding-system default))))

(ert-deftest what-no-message-can-carry-is-refused ()
  (with-draft "one"
    (dolist (char '(#xd800 #xdfff #x110000 #x3fff7f #x3fff80 #x3fffff))
      (erase-buffer)
      (insert "a" char "b")
      (let ((asked (draft-round "laptop")))
        (should (json-serialize asked))
        (should (string-match-p "not UTF-8" (plist-get asked :refusal)))))
    (erase-buffer)
    (insert "\ud7ff\ue000\ufffe\U0010ffff")
    (should (equal (buffer-string) (plist-get (draft-round "laptop") :draft)))))

(ert-deftest a-draft-that-no-message-holds-is-refused ()
  (with-draft "one"
    (insert (make-string 2097152 0))
    (should (string-match-p "too large"
                            (plist-get (draft-round "laptop") :refusal)))))

(ert-deftest a-hook-that-fails-keeps-no-text-away ()
  (with-draft "mine"
    (let ((text-mode-hook (list (lambda () (error "No")))))
      (should (equal '(:opened t) (take-draft "one")))
      (should (equal "one" (buffer-string)))
      (should (member "Continuo: No" shown)))))

(ert-deftest text-of-a-person-that-no-file-has-is-a-draft ()
  (pcase-dolist
      (`(,is ,name ,change)
       `((t "thoughts" ignore)
         (t "thoughts" text-mode)
         (t "thoughts" emacs-lisp-mode)
         (nil "thoughts" special-mode)
         (nil "thoughts" ,(lambda ()
                            (special-mode)
                            (setq buffer-read-only nil)))
         (nil "*thoughts*" ignore)
         (nil " thoughts" ignore)
         (nil "thoughts" ,(lambda () (set-buffer-modified-p nil)))
         (nil "thoughts" erase-buffer)
         (nil "thoughts" ,(lambda () (setq buffer-read-only t)))
         (nil "thoughts" ,(lambda () (setq buffer-file-name "/a/plan.md")))
         (nil "thoughts" ,(lambda ()
                            (make-pipe-process :name "a" :noquery t
                                               :buffer (current-buffer))))
         (nil "thoughts" ,(lambda ()
                            (set-buffer (make-indirect-buffer
                                         (current-buffer) "a clone"))))))
    (ert-info ((format "%S %S" name change))
      (let ((buffer (get-buffer-create name)))
        (unwind-protect
            (with-current-buffer buffer
              (insert "one")
              (funcall change)
              (should (eq is (and (continuo--draft-p) t))))
          (with-current-buffer buffer
            (setq buffer-file-name nil)
            (set-buffer-modified-p nil))
          (kill-buffer buffer))))))

(ert-deftest a-draft-that-is-empty-has-ended-and-begins-anew ()
  (with-draft "one"
    (erase-buffer)
    (press "M-x ignore RET")
    (should (equal '((:activity "d1")) (sent 'activity/invalidate)))
    (insert "two")
    (press "M-x ignore RET")
    (answer 'activity/create '(:activity "d2"))
    (should (= 2 (length (sent 'activity/create))))
    (should (equal '((:activity "d1") (:activity "d2"))
                   (sent 'activity/becomeCurrent)))))

(ert-deftest a-draft-that-ends-before-it-has-a-name-is-none ()
  (dolist (ending (list #'erase-buffer #'kill-buffer))
    (with-continuo
      (with-answers
        (switch-to-buffer (get-buffer-create "thoughts"))
        (insert "one")
        (press "M-x ignore RET")
        (set-buffer-modified-p nil)
        (funcall ending)
        (press "M-x ignore RET")
        (should-not (sent 'activity/invalidate))
        (answer 'activity/create '(:activity "d1"))
        (should (equal '((:activity "d1")) (sent 'activity/invalidate)))
        (should-not (sent 'activity/becomeCurrent))
        (when (get-buffer "thoughts")
          (should-not (buffer-local-value 'continuo--draft
                                          (get-buffer "thoughts")))
          (kill-buffer "thoughts"))))))

(ert-deftest a-draft-is-current-while-it-is-in-front ()
  (with-draft "one"
    (open-text "two\n" (concat folder "plan.md"))
    (press "C-f")
    (should (= 1 (length (sent 'document/becomeCurrent))))
    (switch-to-buffer "thoughts")
    (press "C-b")
    (press "C-f")
    (should (equal '((:activity "d1") (:activity "d1"))
                   (sent 'activity/becomeCurrent)))))

(ert-deftest a-narrowed-draft-goes-over-whole ()
  (with-draft "one\ntwo"
    (narrow-to-region 5 8)
    (let ((asked (draft-round "laptop")))
      (should (equal "one\ntwo" (plist-get asked :draft)))
      (should (equal '(1 3) (place-of asked))))
    (narrow-to-region 5 5)
    (press "M-x ignore RET")
    (should-not (sent 'activity/invalidate))))

(ert-deftest the-bytes-of-a-draft-count-and-not-its-characters ()
  (with-draft "é"
    (insert (make-string 2097151 ?é))
    (should (plist-get (draft-round "laptop") :draft))
    (insert "x")
    (should (plist-get (draft-round "laptop") :refusal))))

(ert-deftest a-draft-without-title-or-place-is-untitled-from-its-beginning ()
  (with-draft "mine"
    (take-draft "one\n" :offer '(:device "desktop" :title "")
                :status '(:arrival "current" :reason "it is\nolder"))
    (should (equal "Untitled" (buffer-name)))
    (should (equal "Continuo: Untitled from desktop is here; it is in no \
file yet; it is older"
                   (car shown)))
    (should (bobp))
    (should buffer-offer-save)
    ;; Undoing does not take the text away.
    (should-not buffer-undo-list)
    (take-draft "two\n" :offer '(:device "desktop" :title " *"))
    (should (equal "Untitled<2>" (buffer-name)))
    (should (equal "one\n" (with-current-buffer "Untitled" (buffer-string))))))

(ert-deftest a-draft-that-stays-here-is-not-shown-as-given-up ()
  (with-draft "one"
    (continuo--notified 'activity/wasContinued
                        '(:activity "d1" :device "laptop"
                                    :givenUp :json-false))
    (should (equal "Continuo: thoughts: continued on laptop" (car shown)))
    (should-not continuo--continued)))

(ert-deftest a-server-is-told-that-drafts-are-taken ()
  (with-continuo
    (continuo--initialize)
    (should (equal '(:drafts t :openDocuments :json-false)
                   (plist-get (car (sent 'initialize)) :capabilities)))))

(ert-deftest a-server-is-told-that-all-that-is-open-is-offered ()
  (with-continuo
    (let ((continuo-open-documents t)) (continuo--initialize))
    (should (equal '(:drafts t :openDocuments t)
                   (plist-get (car (sent 'initialize)) :capabilities)))))

(ert-deftest the-status-tells-of-a-draft ()
  (with-draft "one"
    (continuo-status)
    (should (string-match-p "^thoughts is in no file, and offered.*devices$"
                            (car shown)))
    (continuo--notified 'activity/wasContinued
                        '(:activity "d1" :device "laptop" :givenUp t))
    (continuo-status)
    (should (string-match-p "^thoughts is in no file, and continued on laptop$"
                            (car shown)))))

(ert-deftest nothing-is-said-of-a-draft-that-goes-on-elsewhere-until-it-changes ()
  (with-draft "one"
    (continuo--notified 'activity/wasContinued
                        '(:activity "d1" :device "laptop" :givenUp t))
    (open-text "two
" (concat folder "plan.md"))
    (press "C-f")
    (switch-to-buffer "thoughts")
    (press "C-b")
    (continuo--focused)
    (should (equal '((:activity "d1")) (sent 'activity/becomeCurrent)))
    (should continuo--continued)
    (insert "!")
    (press "M-x ignore RET")
    (should-not continuo--continued)
    (should (= 2 (length (sent 'activity/becomeCurrent))))
    (continuo--draft-tell)
    (should (= 1 (length (sent 'activity/set))))))

(ert-deftest what-a-program-types-takes-a-draft-back-too ()
  (with-draft "one"
    (continuo--notified 'activity/wasContinued
                        '(:activity "d1" :device "laptop" :givenUp t))
    (insert "!")
    (continuo--draft-tell)
    (should (= 1 (length (sent 'activity/set))))
    (should-not continuo--continued)))

(ert-deftest a-new-server-hears-of-a-draft-that-went-on-elsewhere-once-it-changes ()
  (with-draft "one"
    (continuo--notified 'activity/wasContinued
                        '(:activity "d1" :device "laptop" :givenUp t))
    (continuo--forget-all)
    (continuo--begin)
    (press "M-x ignore RET")
    (should (= 1 (length (sent 'activity/create))))
    (should continuo--continued)
    (insert "!")
    (press "M-x ignore RET")
    (should (= 2 (length (sent 'activity/create))))
    (should-not continuo--continued)))

(ert-deftest a-draft-that-is-saved-is-not-told-to-go-on-elsewhere ()
  (dolist (again '(nil t))
    (with-draft "one"
      (continuo--notified 'activity/wasContinued
                          '(:activity "d1" :device "laptop" :givenUp t))
      (when again (continuo--forget-all))
      (write-file (concat folder "kept.md"))
      (should-not continuo--continued)
      (should (= 1 (length (sent 'document/open)))))))

(ert-deftest a-new-server-hears-of-drafts ()
  (with-draft "one"
    (continuo--forget-all)
    (should-not continuo--draft)
    (continuo--begin)
    (should (= 2 (length (sent 'activity/create))))))

(provide 'continuo-tests)
;;; continuo-tests.el ends here
