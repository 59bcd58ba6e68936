;;; continuo-drafts.el --- Text without a file for Continuo  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT
;; Author: Continuo contributors

;;; Commentary:

;; Text in a buffer without a file is offered, handed over when you go on
;; with it on another device, and what comes from there is shown in a new
;; buffer without a file.  Nothing is written to a file by that.

;;; Code:

(require 'continuo-place)
(require 'continuo-server)
(require 'seq)
(eval-when-compile (require 'subr-x))

(defconst continuo--draft-limit 4194304 "The most bytes that are handed over.")
(defvar continuo--draft-changes 0 "How often a draft was told to be another.")
(defvar continuo--draft-timer nil "The timer that tells changes, or nil.")
(defvar-local continuo--draft nil
  "The activity of this text, `asked' until the server has named it, or nil.")
(defvar-local continuo--draft-tick nil "The state of the text that was told.")
(defvar continuo--continued)
(put 'continuo--draft 'permanent-local t)
(put 'continuo--draft-tick 'permanent-local t)

(defun continuo--draft-p ()
  "Whether the current buffer has text of a person that no file has.
A buffer whose name begins with a star or a space is Emacs's own."
  (and (not buffer-file-name) (buffer-modified-p) (> (buffer-size) 0)
       (not (buffer-base-buffer)) (not buffer-read-only)
       (not (string-match-p "\\`[ *]" (buffer-name)))
       (not (get-buffer-process (current-buffer)))
       (or (eq major-mode 'fundamental-mode)
           (derived-mode-p 'text-mode 'prog-mode))))

(defun continuo--draft-title ()
  "What the draft in the current buffer is called."
  (continuo--clean (buffer-name)))

(defun continuo--draft-left-p ()
  "Whether this text is that of another device, and as it was when it went."
  (unless (eql continuo--draft-tick (buffer-chars-modified-tick))
    (setq continuo--continued nil))
  continuo--continued)

(defun continuo--draft-begin (then)
  "Offer the text of the current buffer, if that is a draft, and call THEN."
  (when (and continuo--ready (not continuo--draft) (continuo--draft-p)
             (not (continuo--draft-left-p)))
    (let ((buffer (current-buffer)))
      (setq continuo--draft 'asked
            continuo--draft-tick (buffer-chars-modified-tick))
      (continuo--request
       'activity/create (list :type "public.text-editing" :draft t
                              :title (continuo--draft-title))
       (lambda (answer)
         (let ((activity (plist-get answer :activity)))
           (if (and (buffer-live-p buffer)
                    (eq 'asked (buffer-local-value 'continuo--draft buffer)))
               (with-current-buffer buffer
                 (setq continuo--draft activity)
                 (funcall then))
             (continuo--request 'activity/invalidate
                                (list :activity activity)))))))))

(defun continuo--draft-end ()
  "The text of the current buffer is no draft any more."
  (when (and (stringp continuo--draft) (not (buffer-base-buffer)))
    (continuo--request 'activity/invalidate (list :activity continuo--draft)))
  (setq continuo--draft nil
        continuo--continued nil))

(defun continuo--draft-look (then)
  "Notice whether the current buffer is a draft after a command.
THEN is called once a new one is known to the server."
  (cond ((not continuo--draft)
         (when (and (not buffer-file-name) (buffer-modified-p))
           (continuo--draft-begin then)))
        ((not (continuo--draft-p)) (continuo--draft-end))
        ((and (not continuo--draft-timer)
              (not (eql continuo--draft-tick (buffer-chars-modified-tick))))
         (setq continuo--draft-timer
               (run-at-time 0.3 nil #'continuo--draft-tell)))))

(defun continuo--draft-tell ()
  "Tell the server which drafts have another text."
  (setq continuo--draft-timer nil)
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (and (stringp continuo--draft) (not (buffer-base-buffer))
                 (not (eql continuo--draft-tick (buffer-chars-modified-tick))))
        (setq continuo--draft-tick (buffer-chars-modified-tick)
              continuo--draft-changes (1+ continuo--draft-changes)
              continuo--continued nil)
        (continuo--request
         'activity/set
         (list :activity continuo--draft
               :userInfo (list :changed continuo--draft-changes)))))))

(defun continuo--draft-buffer (activity)
  "The buffer with the draft of that ACTIVITY, or nil."
  (and activity
       (seq-find (lambda (buffer)
                   ;; A clone has the variables of its draft.
                   (and (not (buffer-base-buffer buffer))
                        (equal activity
                               (buffer-local-value 'continuo--draft buffer))))
                 (buffer-list))))

(defun continuo--draft-text ()
  "The text of the current buffer as a file would have it."
  (save-restriction
    (widen)
    (let ((text (buffer-substring-no-properties (point-min) (point-max))))
      (setq text (pcase (coding-system-eol-type buffer-file-coding-system)
                   (1 (string-replace "\n" "\r\n" text))
                   (2 (string-replace "\n" "\r" text))
                   (_ text)))
      (if (eq 'utf-8-with-signature
              (coding-system-base (or buffer-file-coding-system 'utf-8)))
          (concat "\ufeff" text)
        text))))

(defun continuo--draft-insert (text)
  "Insert TEXT, as a file has it, so that a file gets it back as it is.
Where line ends differ the carriage returns are shown, as Emacs does in files."
  (let ((signed (string-prefix-p "\ufeff" text))
        (dos (and (string-search "\r\n" text)
                  (not (string-match-p "\\(?:\\`\\|[^\r]\\)\n" text)))))
    (setq buffer-file-coding-system
          (coding-system-change-eol-conversion
           (if signed 'utf-8-with-signature 'utf-8) (if dos 'dos 'unix)))
    (when signed (setq text (substring text 1)))
    (insert (if dos (string-replace "\r\n" "\n" text) text))))

(defun continuo--draft-refusal (text)
  "Why TEXT is not handed over; nil for one that is."
  (cond ((string-match-p (string ?\[ #xd800 ?- #xdfff #x110000 ?- #x3fff7f
                                 #x3fff80 ?- #x3fffff ?\]) ; the last are bytes
                         text)
         "Its text is not UTF-8, and not handed over without a file.")
        ((or (> (string-bytes text) continuo--draft-limit)
             (> (length (json-serialize text))
                (- (* 2 continuo--draft-limit) 65536)))
         "Its text is too large to be handed over without a file.")))

(defun continuo--draft-round (params)
  "Answer a round for the draft of PARAMS.
The text goes only where a device asks for it."
  (let ((buffer (continuo--draft-buffer (plist-get params :activity))))
    (if (not (and buffer (with-current-buffer buffer (continuo--draft-p))))
        (list :edited :json-false)
      (with-current-buffer buffer
        (append
         (list :edited t :title (continuo--draft-title))
         (when (plist-get params :requestedBy)
           (let* ((text (continuo--draft-text))
                  (refusal (continuo--draft-refusal text)))
             (if refusal (list :refusal refusal)
               ;; There is nothing more to tell of what goes over now.
               (setq continuo--draft-tick (buffer-chars-modified-tick))
               (list :draft text :place (continuo--here))))))))))

(defun continuo--draft-restore (params show)
  "Open the text of PARAMS in a new buffer without a file.
SHOW shows a buffer and returns its window."
  (let* ((offer (plist-get params :offer))
         (title (continuo--clean (or (plist-get offer :title) "")))
         (name (string-trim title "[ *]+"))
         (buffer (generate-new-buffer (if (equal name "") "Untitled" name)))
         (place (plist-get params :place)))
    (with-current-buffer buffer
      (continuo--guarded #'text-mode) ; its hooks are the person's
      (continuo--draft-insert (plist-get params :draft))
      (goto-char (point-min))
      (setq buffer-undo-list nil)
      ;; So that it is not lost without a question. Auto-saving would write a
      ;; file beside wherever Emacs was started; the agent keeps the text.
      (setq-local buffer-offer-save t)
      (set-buffer-modified-p t))
    (let ((window (funcall show buffer)))
      (when place
        (with-current-buffer buffer (continuo--go place window))))
    (continuo--say "%s from %s is here; it is in no file yet%s"
                   (if (equal title "") "Untitled" title)
                   (plist-get offer :device)
                   (if-let ((reason (plist-get (plist-get params :status)
                                               :reason)))
                       (concat "; " reason)
                     ""))
    (list :opened t)))

(provide 'continuo-drafts)
;;; continuo-drafts.el ends here
