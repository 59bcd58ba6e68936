;;; continuo.el --- Go on where you left a document  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT
;; Author: Continuo contributors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: convenience, files

;;; Commentary:

;; Continuo hands what you do over to your other devices: leave a file in
;; Emacs on the desktop, continue it on the laptop in Emacs, in Neovim or in
;; any other editor that takes part, in the same version and on the same
;; character.  The file travels by the sync engine that you already have.
;;
;;     (continuo-mode)
;;
;; in your init file is all.  Emacs then talks to "continuo serve --stdio",
;; which has to be in `exec-path' (or see `continuo-command').
;;
;; What you leave here: each buffer that visits a file in a synced folder
;; is offered to your other devices while you work in it, with the place of
;; point, the active region and the first line of the window.  It is saved
;; before it is offered, without a question and without a message, unless
;; `continuo-save' is nil.  A new file is offered after you saved it once.
;;
;; What you left elsewhere: the mode line names it, and the echo area tells
;; once.  `M-x continuo-resume' continues it: Continuo waits until the
;; version that you left has arrived, then opens it, in this order of care:
;; no text that you have not saved is lost, no other version is shown
;; without saying so, and point is not moved in a buffer that you went on to
;; use meanwhile (`M-x continuo-jump' goes there when you want).  With
;; `continuo-open-documents' there, `C-u M-x continuo-resume' here continues
;; all that was open.
;;
;; `M-x continuo-recent' lists what apps on this device kept for search, by
;; words, and goes on with what you choose.
;;
;; `M-x continuo-offers' lists what can be continued, `M-x continuo-choose'
;; answers when a version does not arrive, `M-x continuo-cancel' gives up,
;; `M-x continuo-status' tells why a file is not offered.  The options are
;; in `M-x customize-group RET continuo'.

;;; Code:

(require 'continuo-drafts)
(require 'continuo-place)
(require 'continuo-server)
(require 'seq)
(require 'subr-x)
(eval-when-compile (require 'cl-lib))

(defcustom continuo-save t
  "Whether a modified buffer is saved before it is offered.
It is saved as by `save-buffer' with all hooks, but without a question:
where there would be one, the buffer is offered as having unsaved text.
If nil, only what you saved yourself reaches the other devices."
  :type 'boolean
  :group 'continuo)

(defcustom continuo-announce t
  "Whether a new offer of another device is told in the echo area."
  :type 'boolean
  :group 'continuo)

(defcustom continuo-continued-hook nil
  "Hook run in a buffer after a document was continued in it."
  :type 'hook
  :group 'continuo)

(defvar continuo-mode)

(autoload 'continuo-resolve "continuo-versions" nil t)
(autoload 'continuo-recent "continuo-recent" nil t)
(autoload 'continuo-health "continuo-health" nil t)

;;; What is known

(defvar continuo--offers nil "What can be continued here, as plists.")
(defvar continuo--told nil "Offers that were told in the echo area, as keys.")
(defvar continuo--waits nil
  "What is waited for, newest first: plists with request, offer and status.")
(defvar continuo--along nil
  "IDs of offers that were accepted along with another one.")

(defvar continuo--front nil "The buffer that was last told to be in front.")
(defvar continuo--commands 0 "How many commands there were.")
(defvar continuo--accepted nil
  "Requests with the value of `continuo--commands' when they were accepted.")

(defvar continuo--changed nil "Buffers whose change was not told yet.")
(defvar continuo--place nil "The place last continued: (BUFFER . PLACE).")
(defvar continuo--leaving nil "Whether Emacs is about to end.")
(defvar-local continuo--uri nil "The name under which the server knows this.")
(defvar-local continuo--about nil "What the server said of this document.")
(defvar-local continuo--announced nil
  "Whether it was told that this is offered once it was saved.")
(defvar-local continuo--withheld nil "Why this document is not offered.")
(defvar-local continuo--read-only nil
  "Whether this was opened for reading alone, by a person's choice.")
(defvar-local continuo--seen nil "The state after the last command.")
(defvar-local continuo--used 0 "The last command that moved or typed here.")

(defvar-local continuo--touched nil
  "Whether the person did something here since the server was told.")
(defvar-local continuo--continued nil "Which device goes on with this.")
(defvar-local continuo--editing nil "Which device edits this, too.")
(defvar-local continuo--present nil
  "What is told of linked devices that have this open.")
(defvar-local continuo--marks nil "Overlays at the lines of those devices.")
(defvar-local continuo--line nil "The line of the cursor that was told last.")

(dolist (variable '(continuo--uri continuo--about continuo--withheld
                                  continuo--seen continuo--used
                                  continuo--touched continuo--continued
                                  continuo--editing continuo--present
                                  continuo--marks continuo--line))
  (put variable 'permanent-local t))


(defun continuo--buffer (uri)
  "The buffer of the document URI, or nil."
  (or (seq-find (lambda (buffer)
                  ;; A clone has the variables of its document.
                  (and (not (buffer-base-buffer buffer))
                       (member uri (continuo--uris buffer))))
                (buffer-list))
      (find-buffer-visiting (continuo--file uri))))

(defun continuo--uris (buffer)
  "How BUFFER is called by us, and by the server."
  (list (buffer-local-value 'continuo--uri buffer)
        (plist-get (buffer-local-value 'continuo--about buffer) :uri)))

;;; Documents of ours

(defun continuo--begin ()
  "Tell the server, which is ready, about the buffers that there are."
  (mapc #'continuo--open (reverse (buffer-list)))
  (mapc #'continuo--ask-ahead (reverse (buffer-list)))
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (continuo--draft-begin #'continuo--draft-begun)))
  (setq continuo--front nil)
  (continuo--look-at-front)
  (force-mode-line-update t))

(defun continuo--forget-all ()
  "Forget what belonged to the server, which is gone."
  (setq continuo--offers nil
        continuo--waits nil
        continuo--along nil
        continuo--accepted nil
        continuo--front nil)
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (setq continuo--draft nil)
      (when continuo--uri
        (setq continuo--uri nil
              continuo--about nil
              continuo--continued nil
              continuo--editing nil)
        (continuo--show-present nil))))
  (force-mode-line-update t))

(defun continuo--open (buffer)
  "Tell the server that BUFFER visits a document, if it does."
  (when (and continuo--ready (buffer-live-p buffer))
    (with-current-buffer buffer
      (when (and (not continuo--uri) (continuo--document-p buffer))
        (when continuo--draft (continuo--close-draft))
        (setq continuo--uri (continuo--uri buffer-file-name)
              continuo--continued nil
              continuo--withheld nil)
        (continuo--tell-read)))))

(defun continuo--tell-read ()
  "Tell the server that the current buffer has read its document."
  (when (and continuo--uri (not (buffer-base-buffer)))
    (let ((buffer (current-buffer)))
      (continuo--request
       'document/open
       (list :uri continuo--uri :edited (continuo--json (buffer-modified-p)))
       (lambda (about)
         (when (buffer-live-p buffer)
           (with-current-buffer buffer (setq continuo--about about))))))))

(defun continuo--close ()
  "Tell the server that the document of the current buffer is no longer open."
  (when (and continuo--uri (not (buffer-base-buffer)))
    (continuo--request 'document/close (list :uri continuo--uri))
    (setq continuo--uri nil
          continuo--about nil)
    (continuo--show-present nil)
    (when (eq continuo--front (current-buffer)) (setq continuo--front nil))))

(defun continuo--visited ()
  "The current buffer visits a file now."
  (continuo--open (current-buffer))
  (continuo--ask-ahead (current-buffer)))

;; A file that was never saved is not offered.

(defun continuo--new-p ()
  "Whether the current buffer has the name of a file that is not there yet."
  (and buffer-file-name (not (buffer-base-buffer)) (not continuo--uri)
       (continuo--local-p buffer-file-name)
       (not (file-exists-p buffer-file-name))))

(defun continuo--ask-ahead (buffer)
  "Tell once that the new file of BUFFER is offered after it was saved.
Nothing is said of files in folders that are not synced."
  (when (and continuo--ready (buffer-live-p buffer))
    (with-current-buffer buffer
      (when (and (continuo--new-p) (not continuo--announced)
                 (locate-dominating-file default-directory ".continuo"))
        (let ((uri (continuo--uri buffer-file-name)))
          (continuo--request
           'document/open (list :uri uri :edited :json-false)
           (lambda (about) (continuo--announce buffer uri about))))))))

(defun continuo--announce (buffer uri about)
  "Tell that BUFFER will be offered as URI, if it stands so in ABOUT."
  (unless (and (buffer-live-p buffer)
               (buffer-local-value 'continuo--uri buffer))
    (continuo--request 'document/close (list :uri uri))
    (when (and (buffer-live-p buffer) (continuo--true (plist-get about :synced)))
      (with-current-buffer buffer
        (setq continuo--announced t)
        (continuo--say "%s is new in %s: it is offered after C-x C-s"
                       (continuo--short uri) (plist-get about :folder))))))

(defun continuo--saved ()
  "The current buffer was saved."
  (if continuo--uri
      (progn
        ;; The round that follows asks for text and place as they are now: the
        ;; command that saved has nothing more to tell.
        (setq continuo--continued nil
              continuo--touched nil
              continuo--changed (delq (current-buffer) continuo--changed)
              continuo--seen (continuo--state))
        (continuo--notify 'document/didSave :uri continuo--uri))
    (continuo--open (current-buffer))
    (continuo--look-at-front)))

(defun continuo--renamed ()
  "The current buffer visits a file of another name now."
  (when continuo--uri
    (let ((uri (and buffer-file-name (continuo--local-p buffer-file-name)
                    (continuo--uri buffer-file-name))))
      (cond ((equal uri continuo--uri))
            (uri (continuo--notify 'document/didMove
                                   :uri continuo--uri :newUri uri)
                 (setq continuo--uri uri))
            (t (continuo--close))))))

(defun continuo--look-at-front (&rest _)
  "Tell the server which document is in front, if that is another one."
  (let* ((shown (window-buffer (selected-window)))
         (buffer (or (buffer-base-buffer shown) shown))
         (uri (buffer-local-value 'continuo--uri buffer))
         (draft (buffer-local-value 'continuo--draft buffer)))
    (when (and continuo--ready (not (eq buffer continuo--front))
               (or uri
                   (and (stringp draft)
                        (with-current-buffer buffer
                          (not (continuo--draft-left-p))))))
      (setq continuo--front buffer)
      (if uri (continuo--notify 'document/becomeCurrent :uri uri)
        (continuo--request 'activity/becomeCurrent (list :activity draft))))))

(defun continuo--draft-begun ()
  "The server knows the draft of the current buffer."
  (when (eq continuo--front (current-buffer)) (setq continuo--front nil))
  (continuo--look-at-front))

(defun continuo--close-draft ()
  "The current buffer is killed."
  (when continuo--draft
    (when (eq continuo--front (current-buffer)) (setq continuo--front nil))
    (continuo--draft-end)))

(defun continuo--focused ()
  "Emacs may have come to front: its document is the current one again."
  (when (seq-some (lambda (frame) (eq t (frame-focus-state frame)))
                  (frame-list))
    (setq continuo--front nil)
    (continuo--look-at-front)))

(defun continuo--state ()
  "What is compared from command to command in the current buffer."
  (list (point) (buffer-chars-modified-tick) (and mark-active (mark))
        (window-start) (buffer-modified-p)))

(defun continuo--after-command ()
  "Notice what the last command did; cheap, for it comes after each one."
  (setq continuo--commands (1+ continuo--commands))
  (let ((document (or (buffer-base-buffer) (current-buffer))))
    (unless (buffer-local-value 'continuo--uri document)
      (with-current-buffer document (continuo--after-command-in-draft)))
    (when (buffer-local-value 'continuo--uri document)
      (continuo--look-at-front)
      (let ((state (continuo--state))
            (seen (buffer-local-value 'continuo--seen document)))
        (unless (equal state seen)
          (with-current-buffer document
            (unless (and (eql (car state) (car seen))
                         (eql (cadr state) (cadr seen)))
              (setq continuo--used continuo--commands
                    continuo--touched t
                    continuo--continued nil))
            (setq continuo--seen state))
          (continuo--tell-change document)))
      (when (eq document (current-buffer)) (continuo--tell-line)))))

(defun continuo--after-command-in-draft ()
  "Notice what the last command did to text that no file has."
  (when (or continuo--draft (not buffer-file-name))
    (continuo--draft-left-p)
    (continuo--draft-look #'continuo--draft-begun)
    (when continuo--draft (continuo--look-at-front))))

(defun continuo--tell-line ()
  "Tell the server in which line the cursor is, if anybody is there."
  (when (and continuo--present (continuo--lines-countable-p))
    (let ((line (1- (line-number-at-pos nil t))))
      (unless (eql line continuo--line)
        (setq continuo--line line)
        (continuo--notify 'document/cursorDidMove
                          :uri continuo--uri :line line)))))

(defun continuo--lines-countable-p ()
  "Whether the lines of the current buffer are counted between two keys."
  (< (buffer-size) 2000000))

(defun continuo--tell-change (buffer)
  "Tell the server soon that BUFFER or the place in it changed."
  (unless continuo--changed
    (run-at-time 0.15 nil #'continuo--tell-changes))
  (cl-pushnew buffer continuo--changed))

(defun continuo--tell-changes ()
  "Tell the server which documents changed."
  (dolist (buffer (prog1 continuo--changed (setq continuo--changed nil)))
    (when-let (((buffer-live-p buffer))
               (uri (buffer-local-value 'continuo--uri buffer)))
      (with-current-buffer buffer
        (continuo--notify 'document/didChange :uri uri
                          :edited (continuo--json (buffer-modified-p))
                          :byPerson (continuo--json continuo--touched))
        (setq continuo--touched nil)))))

;;; A round: save, then tell the place

(defun continuo--why-unsaved ()
  "Why `continuo--save' left the current buffer modified, for another device."
  (format "%s %s" (continuo--clean (buffer-name))
          (cond ((not continuo-save) "is saved only when its person says so")
                ((not (verify-visited-file-modtime)) "was changed on disk")
                ((or buffer-read-only (not (file-writable-p buffer-file-name)))
                 "is read-only")
                (t "could not be saved without a question"))))

(defun continuo--update (params)
  "Save the document of PARAMS, and return its place as the server asked."
  (if (plist-get params :activity) (continuo--draft-round params)
    (continuo--update-document params)))

(defun continuo--update-document (params)
  "Save the document of PARAMS, and return its place as the server asked."
  (let* ((uri (plist-get params :uri))
         (buffer (and uri (continuo--buffer uri))))
    (if (not (and buffer (buffer-local-value 'continuo--uri buffer)))
        (list :edited :json-false)
      (with-current-buffer buffer
        (when (and continuo-save (not continuo--leaving)) (continuo--save))
        (append (list :edited (continuo--json (buffer-modified-p))
                      :place (continuo--here))
                (and (plist-get params :requestedBy) (buffer-modified-p)
                     (list :refusal (continuo--why-unsaved))))))))

;;; Documents of other devices

(defun continuo--busy-p (accepted)
  "Whether the person went on with something else since the command ACCEPTED."
  (and (> continuo--commands (1+ accepted))
       (let ((idle (current-idle-time)))
         (or (not idle) (< (float-time idle) 2)))))

(defun continuo--show (buffer accepted)
  "Show BUFFER, not in front of a person who is busy since ACCEPTED.
Return its window."
  (if (or (continuo--busy-p accepted) (active-minibuffer-window))
      (display-buffer buffer '(nil (inhibit-same-window . t)))
    (pop-to-buffer-same-window buffer)
    (get-buffer-window buffer)))

(defun continuo--restore (params)
  "Open what PARAMS name at its place, and return what became of it."
  (if (not (stringp (plist-get params :draft)))
      (continuo--restore-document params)
    (let ((accepted (alist-get (plist-get params :request) continuo--accepted
                               continuo--commands nil #'equal)))
      (continuo--end-wait params)
      (prog1 (continuo--draft-restore
              params (lambda (buffer) (continuo--show buffer accepted)))
        (dolist (buffer (buffer-list))
          (with-current-buffer buffer
            (continuo--draft-begin #'continuo--draft-begun)))))))

(defun continuo--restore-document (params)
  "Open the document of PARAMS at its place, and return what became of it."
  (let* ((request (plist-get params :request))
         (file (continuo--file (plist-get params :uri)))
         (place (plist-get params :place))
         (name (continuo--name file))
         (accepted (alist-get request continuo--accepted continuo--commands
                              nil #'equal)))
    (continuo--end-wait params)
    (condition-case failure
        (let* ((buffer (continuo--read file))
               (along (member (plist-get (plist-get params :offer) :id)
                              continuo--along))
               (window (and (not along) (continuo--show buffer accepted)))
               (used (> (buffer-local-value 'continuo--used buffer) accepted)))
          (with-current-buffer buffer
            (continuo--open buffer)
            (continuo--limit (continuo--true (plist-get params :readOnly)))
            (when (and place (not along))
              (setq continuo--place (cons buffer place))
              (unless used
                (continuo--go place window)
                (setq continuo--seen (continuo--state))))
            (continuo--look-at-front)
            (unless along
              (continuo--say "%s" (continuo--told-of name params used)))
            (run-hooks 'continuo-continued-hook))
          (list :opened t))
      ((error quit)
       (let ((reason (continuo--clean (error-message-string failure))))
         (continuo--say "%s is not opened: %s" name reason)
         (list :opened :json-false :message reason))))))

(defun continuo--limit (read-only)
  "Let the buffer be read alone if READ-ONLY, until the version meant is continued."
  (cond ((and read-only (not buffer-read-only))
         (read-only-mode 1)
         (setq continuo--read-only t))
        ((and continuo--read-only (not read-only))
         (read-only-mode -1)
         (setq continuo--read-only nil))))

(defun continuo--told-of (name params used)
  "Say what became of NAME, which PARAMS restored; USED: point was kept."
  (let* ((offer (plist-get params :offer))
         (status (plist-get params :status))
         (reason (and (not (equal (plist-get status :arrival) "current"))
                      (plist-get status :reason)))
         (certainty (plist-get params :certainty)))
    (string-join
     (delq nil
           (list (format "%s from %s" name (plist-get offer :device))
                 (cond (used "point is left where you are, M-x continuo-jump \
goes to the place")
                       ((equal certainty "unsure")
                        "the text was changed there: this is near the place"))
                 (and (continuo--true (plist-get params :readOnly))
                      "only for reading")
                 reason))
     "; ")))

(defun continuo--elsewhere-p (buffer file)
  "Whether a move to FILE is none of the document of BUFFER.
It still lies where it was, or FILE is none of this device."
  (or (not (continuo--local-p file))
      (let ((mine (buffer-file-name buffer)))
        (and (file-exists-p mine)
             (verify-visited-file-modtime buffer)
             (not (and (file-exists-p file) (file-equal-p mine file)))))))

(defun continuo--disk (params)
  "Take in what PARAMS tell of a document that was changed on disk."
  (let* ((uri (plist-get params :uri))
         (change (plist-get params :change))
         (buffer (continuo--buffer uri))
         (name (continuo--short uri)))
    (when buffer
      (with-current-buffer buffer
        (pcase change
          ("moved"
           (let ((file (continuo--file (plist-get params :newUri)))
                 (change-major-mode-with-file-name nil))
             (cond
              ((continuo--elsewhere-p buffer file))
              ((find-buffer-visiting file)
               (continuo--say "%s is %s now, which is open, too" name file))
              (t (set-visited-file-name file t t)
                 (continuo--say "%s is %s now" name (continuo--name file))))))
          ((and "deleted" (guard (not continuo--uri)))) ; there was no file
          ("deleted"
           (continuo--say "%s was deleted; its text is kept here, saving it \
brings it back" name))
          ("conflict"
           (continuo--say "%s has another version beside it: %s \
(M-x continuo-resolve)" name
                          (mapconcat #'continuo--short
                                     (plist-get params :copies) ", ")))
          ((guard (verify-visited-file-modtime buffer)))
          ((guard (buffer-modified-p))
           (continuo--say "%s was changed elsewhere; your unsaved text is kept"
                          name))
          (_ (condition-case failure
                 (progn (continuo--reload buffer)
                        (setq continuo--seen (continuo--state))
                        (continuo--tell-change buffer))
               ((error quit)
                (continuo--say "%s" (error-message-string failure))))))))))

;;; What the server says

(cl-defmethod continuo--requested ((_method (eql activity/update)) params)
  "Answer a round with PARAMS, outside of the process filter."
  (lambda () (continuo--update params)))

(cl-defmethod continuo--requested ((_method (eql document/restore)) params)
  "Open a document as PARAMS say, outside of the process filter."
  (lambda () (continuo--restore params)))

(cl-defmethod continuo--notified ((_method (eql offers/didChange)) params)
  "Take in what PARAMS say can be continued."
  (continuo--take-offers (append (plist-get params :offers) nil))
  (mapc #'continuo--ask-others (buffer-list)))

(cl-defmethod continuo--notified ((_method (eql continuation/willContinue))
                                  params)
  "A continuation begins, as PARAMS say."
  (continuo--accepting (plist-get params :request))
  (continuo--wait params))

(cl-defmethod continuo--notified ((_method (eql continuation/progress)) params)
  "Tell why the version of PARAMS is waited for."
  (let* ((known (continuo--wait-of params))
         (told (and known (continuo--progress known)))
         (now (continuo--progress params)))
    (continuo--wait params)
    (unless (or (equal told now) (active-minibuffer-window))
      (continuo--say "%s" now))))

(cl-defmethod continuo--notified ((_method (eql continuation/didFail)) params)
  "A continuation ended without a document, as PARAMS say."
  (continuo--end-wait params)
  (unless (eq :json-false (plist-get params :shown))
    (continuo--say "%s" (plist-get params :message))))

(cl-defmethod continuo--notified ((_method (eql document/changedOnDisk)) params)
  "The file of a document changed, as PARAMS say."
  (continuo--disk params))

(cl-defmethod continuo--notified ((_method (eql activity/wasContinued)) params)
  "Another device took over what PARAMS name."
  (let* ((uri (plist-get params :uri))
         (draft (continuo--draft-buffer (plist-get params :activity)))
         (buffer (if uri (continuo--buffer uri) draft))
         (told (continuo--clean (continuo--receipt params))))
    (when (and buffer (continuo--true (plist-get params :givenUp)))
      (with-current-buffer buffer (setq continuo--continued told))
      (force-mode-line-update t))
    (continuo--say "%s: %s" (cond (uri (continuo--short uri))
                                  (draft (buffer-name draft))
                                  (t "Your work"))
                   told)))

(defun continuo--clock (milliseconds)
  "The time of day at MILLISECONDS, with the date where it is not today's."
  (let* ((moment (/ milliseconds 1000))
         (today (equal (format-time-string "%F" moment)
                       (format-time-string "%F"))))
    (format-time-string (if today "%R" "%F %R") moment)))

(defun continuo--receipt (params)
  "Tell in words which device took over, and when, as PARAMS say."
  (let ((moment (plist-get params :at)))
    (concat "continued on " (plist-get params :device)
            (and (integerp moment) (concat " at " (continuo--clock moment))))))

(defun continuo--editor (editor)
  "Tell in words what EDITOR, of another device, does with a document."
  (concat (plist-get editor :device)
          (if (continuo--true (plist-get editor :leftOpen)) " left this open at "
            " is editing this since ")
          (continuo--clock (plist-get editor :since))
          (and (continuo--true (plist-get editor :unsavedChanges))
               ", with unsaved changes")))

(defun continuo--ask-others (buffer)
  "Ask who edits the document of BUFFER on another device."
  (when-let ((uri (and (not (buffer-base-buffer buffer))
                       (buffer-local-value 'continuo--uri buffer))))
    (continuo--request
     'document/otherEditors (list :uri uri)
     (lambda (answer)
       (when (buffer-live-p buffer)
         (with-current-buffer buffer
           (setq continuo--editing
                 (when-let ((first (car (append (plist-get answer :editors) nil))))
                   (continuo--clean (continuo--editor first)))))
         (force-mode-line-update t))))))

(cl-defmethod continuo--notified
  ((_method (eql document/presenceDidChange)) params)
  "Show which linked devices have the document of PARAMS open."
  (when-let ((buffer (continuo--buffer (plist-get params :uri))))
    (with-current-buffer buffer
      (continuo--show-present (append (plist-get params :devices) nil))
      (force-mode-line-update t)
      (when (eq buffer (window-buffer (selected-window)))
        (continuo--tell-line)))))

(defun continuo--show-present (devices)
  "Show in the current buffer that DEVICES have its document open.
A line that this text does not have is shown at its end."
  (mapc #'delete-overlay continuo--marks)
  (unless devices (setq continuo--line nil))
  (setq continuo--present
        (and devices (mapconcat #'continuo--presence devices "; "))
        continuo--marks
        (delq nil (mapcar #'continuo--mark devices))))

(defun continuo--cloned ()
  "What is shown in a document is not shown in its clone, the current buffer."
  (remove-overlays (point-min) (point-max) 'continuo t)
  (setq continuo--draft nil
        continuo--draft-tick nil
        continuo--present nil
        continuo--marks nil
        continuo--line nil))

(defun continuo--presence (device)
  "Tell in words that DEVICE has a document open, and where."
  (concat (plist-get device :device) " has this open"
          (when-let ((line (plist-get device :line)))
            (format ", at line %d" (1+ line)))))

(defun continuo--mark (device)
  "An overlay at the line of DEVICE in the current buffer, or nil."
  (when-let ((line (and (continuo--lines-countable-p)
                        (plist-get device :line))))
    (save-excursion
      (save-restriction
        (widen)
        (goto-char (point-min))
        (forward-line line)
        (let ((overlay (make-overlay (line-end-position) (line-end-position))))
          (overlay-put overlay 'continuo t)
          (overlay-put overlay 'after-string
                       (propertize (concat " ◂ " (plist-get device :device))
                                   'face 'shadow))
          overlay)))))

(cl-defmethod continuo--notified ((_method (eql activity/withheld)) params)
  "Keep the reason of PARAMS, for `continuo-status'."
  (when-let* ((uri (plist-get params :uri)) (buffer (continuo--buffer uri)))
    (with-current-buffer buffer
      (setq continuo--withheld (plist-get params :reason)))))

(cl-defmethod continuo--notified ((_method (eql connection/didChange)) params)
  "Keep from PARAMS why the agent is away, for `continuo-status'."
  (setq continuo--trouble
        (unless (continuo--true (plist-get params :connected))
          (or (plist-get params :message) "the agent is away"))))

(defun continuo--accepting (request)
  "Note that REQUEST was accepted now, unless it was before."
  (unless (assoc request continuo--accepted)
    (push (cons request continuo--commands) continuo--accepted)))

(defun continuo--wait-of (params)
  "What is known of the wait whose request PARAMS hold, or nil."
  (seq-find (lambda (wait)
              (equal (plist-get wait :request) (plist-get params :request)))
            continuo--waits))

(defun continuo--wait (params)
  "Keep PARAMS, what is known now of a wait; a new one comes first."
  (let ((known (continuo--wait-of params)))
    (setq continuo--waits
          (if known (mapcar (lambda (each) (if (eq each known) params each))
                            continuo--waits)
            (cons params continuo--waits)))))

(defun continuo--end-wait (params)
  "The wait whose request PARAMS hold is over."
  (setq continuo--waits (delq (continuo--wait-of params) continuo--waits)))

(defun continuo--chosen-wait ()
  "The only wait, or the one that the person chooses."
  (unless continuo--waits (user-error "Nothing is waited for"))
  (if (not (cdr continuo--waits)) (car continuo--waits)
    (let ((names (mapcar (lambda (each) (cons (continuo--progress each) each))
                         continuo--waits)))
      (cdr (assoc (completing-read "About: " names nil t nil nil (caar names))
                  names)))))

(defun continuo--title (offer)
  "The title of OFFER."
  (let ((title (plist-get offer :title)) (path (plist-get offer :path)))
    (cond ((and path (not (equal path ""))) (continuo--name path))
          ((and title (not (equal title ""))) (continuo--clean title))
          (t (continuo--clean (plist-get offer :type))))))

(defun continuo--key (offer)
  "What OFFER is about: it stays when the offer itself is renewed."
  (mapcar (lambda (member) (plist-get offer member))
          '(:device :type :folder :path :title)))

(defun continuo--take-offers (present)
  "Keep PRESENT, what can be continued now, and tell of what is new.
An editor that was started again may leave an older offer behind for a moment."
  (setq continuo--offers
        (seq-uniq (seq-sort-by (lambda (offer)
                                 (- (or (plist-get offer :changedAt) 0)))
                               #'< present)
                  (lambda (one other)
                    (equal (continuo--key one) (continuo--key other)))))
  (dolist (offer continuo--offers)
    (unless (or (not continuo-announce) (active-minibuffer-window)
                (member (continuo--key offer) continuo--told))
      (continuo--say "%s from %s: M-x continuo-resume"
                     (continuo--title offer) (plist-get offer :device))))
  (setq continuo--told (mapcar #'continuo--key continuo--offers)))

(defun continuo--size (bytes)
  "BYTES for people."
  (file-size-human-readable bytes 'si " " "B"))

(defun continuo--progress (waiting)
  "Tell in a sentence what WAITING waits for, and why."
  (let* ((status (plist-get waiting :status))
         (received (plist-get status :received))
         (expected (plist-get status :expected)))
    (continuo--clean
     (concat "waiting for " (continuo--title (plist-get waiting :offer))
             (when-let ((reason (plist-get status :reason)))
              (concat ": " reason))
             (when (and received expected)
               (format " (%s of %s)" (continuo--size received)
                       (continuo--size expected)))
             " -- M-x continuo-choose"))))

;;; Commands

(defun continuo--describe (offer)
  "OFFER in a line for people."
  (continuo--clean (continuo--description offer)))

(defun continuo--description (offer)
  "OFFER in words, as they came."
  (concat (continuo--title offer) " from " (plist-get offer :device)
          (when-let ((path (plist-get offer :path)))
            (format " (%s%s)" (if-let ((folder (plist-get offer :folder)))
                                  (concat folder "/")
                                "")
                    (continuo--clean path)))
          (when-let ((changed (plist-get offer :changedAt)))
            (concat ", " (format-time-string "%F %R" (/ changed 1000))))
          (when (continuo--true (plist-get offer :unsavedChanges))
            ", with unsaved changes")
          (let ((others (length (plist-get offer :openedBeside))))
            (when (> others 0)
              (format ", %d more open there (C-u M-x continuo-resume)" others)))
          (when-let ((remark (plist-get offer :remark))) (concat ", " remark))))

;;;###autoload
(defun continuo-resume (offer &optional all)
  "Continue OFFER here: a document that you left on another device.
Interactively, ask for it if there are several.  With ALL, a prefix
argument, also what is open beside it there, each by itself: it opens behind
the document that you left."
  (interactive
   (progn
     (unless continuo-mode (user-error "Turn on `continuo-mode' first"))
     (unless continuo--offers
       (user-error "Nothing to continue here%s"
                   (if continuo--trouble
                       (concat ": " (continuo--clean continuo--trouble))
                     "")))
     (if (cdr continuo--offers)
         (let ((names (mapcar
                       (lambda (each) (cons (continuo--describe each) each))
                       continuo--offers)))
           (list (cdr (assoc (completing-read "Continue: " names nil t nil nil
                                              (caar names))
                             names))
                 current-prefix-arg))
       (list (car continuo--offers) current-prefix-arg))))
  (let ((commands continuo--commands) (id (plist-get offer :id)))
    (setq continuo--along
          (append (and all (mapcar (lambda (each) (plist-get each :id))
                                   (plist-get offer :openedBeside)))
                  (remove id continuo--along)))
    (continuo--request
     'continuation/accept `(:offer ,id ,@(and all '(:openDocuments t)))
     (lambda (answer)
       (let ((request (plist-get answer :request)))
         (setf (alist-get request continuo--accepted nil nil #'equal)
               commands))))))

(defun continuo-offers ()
  "List what you can continue here."
  (interactive)
  (with-help-window "*Continuo*"
    (with-current-buffer standard-output
      (unless continuo--offers (insert "Nothing to continue here.\n"))
      (dolist (offer continuo--offers)
        (insert-text-button (continuo--describe offer)
                            'action (lambda (_) (continuo-resume offer)))
        (insert "\n")
        (when-let ((reason (plist-get (plist-get offer :status) :reason)))
          (insert "    " (continuo--clean reason) "\n"))))))

(defun continuo-choose ()
  "Choose what to do about the version that has not arrived."
  (interactive)
  (let* ((wait (continuo--chosen-wait))
         (request (plist-get wait :request))
         (choice (car (read-multiple-choice
                       (continuo--progress wait)
                       '((?o "open here" "Open what is here, only for reading")
                         (?k "keep waiting" "Wait until the version arrives")
                         (?g "give up" "Open nothing"))))))
    (continuo--request
     'continuation/choose
     (list :request request
           :choice (pcase choice
                     (?o "openHere") (?k "keepWaiting") (_ "giveUp"))))))

(defvar continuo--dismissed nil
  "What was put away: (KEY . TIME) of offers as they were then.")

(defun continuo--shown-offer ()
  "The newest offer that was not put away as it is; nil for none."
  (seq-find (lambda (offer)
              (> (or (plist-get offer :changedAt) 0)
                 (alist-get (continuo--key offer) continuo--dismissed
                            -1 nil #'equal)))
            continuo--offers))

(defun continuo-dismiss ()
  "Hide each offer in the mode line until it is changed."
  (interactive)
  (setq continuo--dismissed
        (mapcar (lambda (offer)
                  (cons (continuo--key offer)
                        (or (plist-get offer :changedAt) 0)))
                continuo--offers))
  (force-mode-line-update t))

(defun continuo-cancel ()
  "Give up what is waited for."
  (interactive)
  (continuo--request 'continuation/cancel
                     (list :request
                           (plist-get (continuo--chosen-wait) :request))))

(defun continuo-jump ()
  "Go to the place of the document that was continued last."
  (interactive)
  (unless (buffer-live-p (car continuo--place))
    (user-error "Nothing was continued here"))
  (pop-to-buffer-same-window (car continuo--place))
  (unless mark-active (push-mark nil t))
  (continuo--go (cdr continuo--place) (selected-window)))

(defun continuo-restart ()
  "Start the server of Continuo anew."
  (interactive)
  (continuo--stop)
  (setq continuo--starts nil)
  (if continuo-mode (continuo--start) (continuo-mode)))


(defun continuo-status ()
  "Tell how Continuo stands: the connection, this document, what is waited for."
  (interactive)
  (let ((document (or (buffer-base-buffer) (current-buffer))))
    (message
     "%s"
     (mapconcat
      #'continuo--clean
      (delq nil
            (list
             (cond (continuo--trouble (concat "Continuo: " continuo--trouble))
                   (continuo--ready "Continuo runs")
                   (t "Continuo does not run: M-x continuo-mode"))
             (with-current-buffer document
               (cond
                ((and (not continuo--uri) (or (stringp continuo--draft)
                                              continuo--continued))
                 (format "%s is in no file, and %s"
                         (continuo--clean (buffer-name))
                         (or continuo--continued "offered to linked devices")))
                ((not continuo--uri)
                 (format (if (continuo--new-p)
                             "%s is new: it is offered after C-x C-s, if its \
folder is synced"
                           "%s is no file of this device")
                         (continuo--clean (buffer-name))))
                ((continuo--true (plist-get continuo--about :synced))
                 (format "%s is in the synced folder %s%s%s"
                         (continuo--clean (buffer-name))
                         (plist-get continuo--about :folder)
                         (if-let ((others (continuo--elsewhere)))
                             (concat "; " others)
                           "")
                         (if continuo--withheld
                             (concat ", but not offered: " continuo--withheld)
                           "")))
                (t (format "%s is not offered: %s"
                           (continuo--clean (buffer-name))
                           (or (plist-get continuo--about :reason)
                               "the server has not answered yet")))))
             (and continuo--waits
                  (mapconcat #'continuo--progress continuo--waits "\n"))
             (and continuo--offers
                  (format "to continue: %s"
                          (mapconcat #'continuo--describe continuo--offers
                                     "; ")))))
      "\n"))))

;;; The mode

(defun continuo--elsewhere ()
  "What is told of other devices that have this document, or nil."
  (or continuo--continued continuo--present continuo--editing))

(defun continuo--lighter ()
  "The text in the mode line."
  (let ((sign (if (char-displayable-p ?⇄) " ⇄" " <->")))
    (cond (continuo--waits (concat sign "…"))
          ((or (continuo--shown-offer) (continuo--elsewhere))
           (let ((offer (when-let ((shown (continuo--shown-offer)))
                          (continuo--title shown)))
                 (elsewhere (continuo--elsewhere)))
             ;; In the mode line a % would begin a construct.
             (string-replace
              "%" "%%"
              (concat sign " " offer
                      (and offer elsewhere " -- ") elsewhere))))
          ((or continuo--trouble (not continuo--ready)) (concat sign "?"))
          (t sign))))

(defun continuo--leave ()
  "Publish the last state as Emacs ends; what was not saved stays so."
  (setq continuo--leaving t)
  (continuo--stop t))

(defun continuo--documents-p ()
  "Whether any buffer visits a document."
  (seq-some #'continuo--document-p (buffer-list)))

(defconst continuo--hooks
  '((find-file-hook . continuo--visited)
    (after-save-hook . continuo--saved)
    (after-revert-hook . continuo--tell-read)
    (kill-buffer-hook . continuo--close)
    (kill-buffer-hook . continuo--close-draft)
    (clone-buffer-hook . continuo--cloned)
    (clone-indirect-buffer-hook . continuo--cloned)
    (after-set-visited-file-name-hook . continuo--renamed)
    (post-command-hook . continuo--after-command)
    (window-selection-change-functions . continuo--look-at-front)
    (window-buffer-change-functions . continuo--look-at-front)
    (kill-emacs-hook . continuo--leave)
    (continuo--wanted-hook . continuo--documents-p)
    (continuo--ready-hook . continuo--begin)
    (continuo--ended-hook . continuo--forget-all))
  "Hooks with the functions that are on them while the mode is on.")

;;;###autoload
(define-minor-mode continuo-mode
  "Offer the files that you work in to your other devices, and theirs to you.
What other devices offer is continued with \\[continuo-resume]."
  :global t
  :group 'continuo
  :lighter (:eval (continuo--lighter))
  (if continuo-mode
      (progn
        (pcase-dolist (`(,hook . ,function) continuo--hooks)
          (add-hook hook function))
        (add-function :after after-focus-change-function #'continuo--focused)
        (setq continuo--starts nil
              continuo--leaving nil)
        (continuo--start))
    (continuo--stop)
    (pcase-dolist (`(,hook . ,function) continuo--hooks)
      (remove-hook hook function))
    (remove-function after-focus-change-function #'continuo--focused)))

(provide 'continuo)
;;; continuo.el ends here
