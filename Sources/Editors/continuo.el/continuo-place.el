;;; continuo-place.el --- Places in a text for Continuo  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT
;; Author: Continuo contributors

;;; Commentary:

;; Where the person is in a buffer, as Continuo counts, and how a buffer is
;; brought there; and reading and saving a file without a question.  Nothing
;; here knows of a server.

;;; Code:

(require 'cl-lib)
(require 'seq)
(require 'subr-x)
(require 'url-util)

;;; What is shown

(defconst continuo--hidden
  '((#xad . #xad) (#x61c . #x61c) (#x180e . #x180e) (#x200b . #x200f)
    (#x202a . #x202e) (#x2060 . #x206f) (#xfeff . #xfeff) (#xfff9 . #xfffb)
    (#xe0000 . #xe0fff))
  "Characters that nobody sees, or that move others, as first and last.")

(defun continuo--hidden-p (char)
  "Whether CHAR is one of `continuo--hidden'."
  (seq-some (lambda (range) (<= (car range) char (cdr range)))
            continuo--hidden))

(defun continuo--joins-p (text at)
  "Whether a joiner, or a non-joiner, does something AT this place in TEXT.
Without it a word is another one, and one picture becomes three.  Scripts
whose letters join, and pictures, lie above Latin, Greek and Cyrillic."
  (and (memq (aref text at) '(#x200c #x200d))
       (< 0 at (1- (length text)))
       (seq-every-p (lambda (char)
                      (and (<= #x600 char #x10ffff)
                           (not (memq char '(#x2028 #x2029)))
                           (not (continuo--hidden-p char))))
                    (list (aref text (1- at)) (aref text (1+ at))))))

(defun continuo--clean (text)
  "TEXT, which came from elsewhere, as one line for people.
Nothing in it directs a terminal, hides, or turns characters around."
  (let ((text (string-to-multibyte (format "%s" text)))
        (at -1))
    (mapconcat
     (lambda (char)
       (setq at (1+ at))
       (cond ((or (<= ?\t char ?\r) (memq char '(#x85 #x2028 #x2029))) " ")
             ((or (< char 32) (<= #x7f char #x9f) (<= #xd800 char #xdfff)
                  (> char #x10ffff))
              "\N{REPLACEMENT CHARACTER}")
             ((and (continuo--hidden-p char)
                   (not (continuo--joins-p text at)))
              "")
             (t (string char))))
     (substring text 0 (min (length text) 4096)) "")))

(defun continuo--cleaned (message)
  "MESSAGE of the server, with all that is shown of it as it may be shown."
  (cond ((vectorp message) (vconcat (mapcar #'continuo--cleaned message)))
        ((not (consp message)) message)
        (t (cl-loop for (key value) on message by #'cddr
                    append (list key
                                 (if (and (stringp value)
                                          (memq key '(:title :device :reason
                                                      :message :remark :folder
                                                      :type)))
                                     (continuo--clean value)
                                   (continuo--cleaned value)))))))

;;; Names of files

(defun continuo--name-coding ()
  "The coding of file names; a line break in one is no end of a line."
  (coding-system-change-eol-conversion
   (or file-name-coding-system default-file-name-coding-system 'utf-8) 'unix))

(defun continuo--uri (file)
  "The URI of FILE."
  (concat "file://"
          (url-hexify-string
           (encode-coding-string (expand-file-name file)
                                 (continuo--name-coding))
           (cons ?/ url-unreserved-chars))))

(defun continuo--file (uri)
  "The local file that URI names; signal an error when it names none."
  (unless (and (stringp uri)
               (string-match "\\`file:\\(?://[^/]*\\)?\\(/.*\\)\\'" uri))
    (error "Not the URI of a local file: %s" uri))
  (let ((bytes (url-unhex-string
                (encode-coding-string (match-string 1 uri) 'utf-8-unix) t)))
    (when (string-search "\0" bytes)
      (error "Not the URI of a local file: %s" uri))
    (decode-coding-string bytes (continuo--name-coding))))

(defun continuo--name (file)
  "The last part of the name of FILE, for people."
  (continuo--clean (substring file (string-match "[^/]*\\'" file))))

(defun continuo--short (uri)
  "The last part of the file name of URI, for people."
  (continuo--name (continuo--file uri)))

(defun continuo--local-p (file)
  "Whether FILE is what lies there under this name, and nothing that Emacs fetches.
Such are files of other devices and files within archives."
  (let ((handler (find-file-name-handler file 'insert-file-contents)))
    (not (and handler
              (string-match-p "\\`\\(?:tramp\\|ange-ftp\\|file-name-non-special\\)"
                              (format "%s" handler))))))

(defun continuo--regular-p (file)
  "Whether FILE is a regular file, or a link to one.
The function `file-regular-p' of Emacs 28 finds no name that is not UTF-8."
  (or (file-regular-p file)
      (when-let ((attributes (and (file-exists-p file)
                                  (file-attributes (file-truename file)))))
        (string-prefix-p "-" (file-attribute-modes attributes)))))

(defun continuo--document-p (buffer)
  "Whether BUFFER visits a file that can be handed over."
  (with-current-buffer buffer
    (and buffer-file-name
         (not (buffer-base-buffer))
         (continuo--local-p buffer-file-name)
         (continuo--regular-p buffer-file-name))))

;;; Where the person is

(defun continuo--window (buffer)
  "The window in which the person sees BUFFER or its clones, or nil."
  (let ((shows (lambda (window)
                 (let ((shown (window-buffer window)))
                   (eq buffer (or (buffer-base-buffer shown) shown))))))
    (if (funcall shows (selected-window)) (selected-window)
      (or (get-buffer-window buffer 'visible)
          (get-window-with-predicate shows nil 'visible)))))

(defun continuo--line-start (&optional position)
  "Where the line of POSITION begins, also outside of a narrowing."
  (save-restriction
    (widen)
    (save-excursion
      (when position (goto-char position))
      (let ((inhibit-field-text-motion t)) (line-beginning-position)))))

(defvar-local continuo--line nil
  "A line that was counted: tick of the text, its beginning, its number.")

(defun continuo--line-number (start)
  "The number, from 0, of the line that begins at START.
Counted from the line that was asked for before, if the text is the same."
  (pcase-let ((`(,tick ,known ,number) continuo--line))
    (caddr
     (setq continuo--line
           (list (buffer-chars-modified-tick) start
                 (cond ((not (eql tick (buffer-chars-modified-tick)))
                        (1- (line-number-at-pos start)))
                       ((< start known) (- number (count-lines start known)))
                       (t (+ number (count-lines known start)))))))))

(defun continuo--line-column (position)
  "Line and character of POSITION as the server counts, from 0."
  (save-restriction
    (widen)
    (let ((start (continuo--line-start position)))
      (list :line (continuo--line-number start)
            :character
            (- position start
               ;; The carriage return of a line end counts as nothing.
               (if (and (> position start) (eql (char-after position) ?\n)
                        (eql (char-before position) ?\r))
                   1
                 0))))))

(defun continuo--here ()
  "The place of the person in the current buffer."
  (let* ((window (continuo--window (current-buffer)))
         (start (and window (window-start window))))
    (with-current-buffer (if window (window-buffer window) (current-buffer))
      (append
       (list :position (continuo--line-column
                        (if window (window-point window) (point))))
       (and (use-region-p)
            (list :selection (continuo--line-column (mark))))
       (and start
            (list :topLine (plist-get (continuo--line-column start) :line)))))))

;;; Going there

(defun continuo--position (place)
  "The position of PLACE, line and character, in the current buffer."
  (save-restriction
    (widen)
    (save-excursion
      (goto-char (point-min))
      (let ((inhibit-field-text-motion t)
            (missing (forward-line (min (plist-get place :line)
                                        most-positive-fixnum))))
        (if (and (> missing 0) (eobp)) (point-max)
          (min (+ (point) (min (plist-get place :character) (buffer-size)))
               (line-end-position)))))))

(defun continuo--go (place window)
  "Go to PLACE in the current buffer, and in WINDOW if that is not nil."
  (let ((position (continuo--position (plist-get place :position)))
        (other (plist-get place :selection))
        (top (plist-get place :topLine)))
    (unless (<= (point-min) position (point-max)) (widen))
    (goto-char position)
    (dolist (overlay (overlays-at position)) ; folded text
      (when-let ((open (overlay-get overlay 'isearch-open-invisible)))
        (ignore-errors (funcall open overlay))))
    (when other
      (push-mark (continuo--position other) t t)
      (setq deactivate-mark nil))
    (when window
      (set-window-point window position)
      (when top
        (set-window-start
         window (continuo--position (list :line top :character 0)) t)))))

;;; Files

(defun continuo--save ()
  "Save the current buffer if that needs no question.
Say why in the echo area if that fails."
  (when (and (buffer-modified-p) (not buffer-read-only)
             (continuo--document-p (current-buffer))
             (file-writable-p buffer-file-name)
             (verify-visited-file-modtime))
    (let ((blanks (continuo--blanks-at-point))
          (deactivate-mark nil))
      (condition-case failure
          (let ((inhibit-message t)
                (message-log-max nil)
                (save-silently t))
            (continuo--without-questions #'save-buffer))
        ((error quit)
         (message "Continuo: %s is not saved: %s" (continuo--clean (buffer-name))
                  (continuo--clean (error-message-string failure)))))
      ;; A hook that takes trailing blanks away has to leave those that the
      ;; person typed just now.
      (let ((left (continuo--blanks-at-point)))
        (when (and left (< (length left) (length blanks)))
          (insert (substring blanks (length left))))))))

(defun continuo--without-questions (function)
  "Call FUNCTION; signal an error instead of asking the person anything.
The hooks that it runs cannot go on after that as if nothing had happened."
  (when-let ((question
              (catch 'continuo-question
                (let ((inhibit-interaction t)
                      (signal-hook-function
                       (lambda (symbol _data)
                         (when (eq symbol 'inhibited-interaction)
                           (throw 'continuo-question t)))))
                  (funcall function)
                  nil))))
    (error "That would need an answer of yours")))

(defun continuo--blanks-at-point ()
  "The blanks before point at the end of a line; nil elsewhere."
  (and (eolp)
       (buffer-substring (point)
                         (save-excursion (skip-chars-backward " \t") (point)))))

(defun continuo--read (file)
  "Return a buffer with the present text of FILE.
Signal an error where that would lose text or need a question."
  (let ((inhibit-interaction t)
        (large-file-warning-threshold nil)
        (enable-local-variables (and enable-local-variables :safe))
        (enable-local-eval nil)
        (vc-follow-symlinks t)
        (buffer (and (continuo--local-p file) (find-buffer-visiting file))))
    (unless (continuo--local-p file)
      (error "Emacs takes its name for that of a file elsewhere"))
    (unless (file-readable-p file) (error "It cannot be read"))
    (cond
     ((not buffer) (find-file-noselect file t))
     ((verify-visited-file-modtime buffer) buffer)
     ((buffer-modified-p buffer)
      (error "There are unsaved changes here, and the file is newer: save your \
text under another name with M-x write-file, then continue once more"))
     (t (continuo--reload buffer) buffer))))

(defun continuo--reload (buffer)
  "Read the file of the unmodified BUFFER again; places are kept."
  (with-current-buffer buffer
    (let ((inhibit-interaction t)
          (inhibit-message t)
          (deactivate-mark nil))
      (revert-buffer t t t))))

(provide 'continuo-place)
;;; continuo-place.el ends here
