;;; continuo-recent.el --- What was done before, for Continuo  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT
;; Author: Continuo contributors

;;; Commentary:

;; What apps on this device kept for search: listed and narrowed by the
;; command line, "continuo recent" and "continuo search", and opened by it.
;; Where Emacs takes what was chosen, the agent hands it over to the server.
;;
;; Titles, paths and words are data: they are arguments of a program that no
;; shell starts, and shown escaped.

;;; Code:

(require 'continuo)
(require 'iso8601)
(require 'json)

(defconst continuo--recent-most 100
  "How many are listed: as many as the command line lists.")

(defvar continuo--recent-process nil
  "The process of the list that was asked for last, or nil.")

(defun continuo--recent-program ()
  "Return how `continuo' is started: as the server is, but for its arguments."
  (let ((server (member "serve" (cdr continuo-command))))
    (unless server
      (user-error "`continuo-command' starts no `continuo serve', so it is \
not known how to search"))
    (unless (executable-find (car continuo-command))
      (user-error "The program `%s' is not in `exec-path': install Continuo, \
or set `continuo-command'" (car continuo-command)))
    (butlast continuo-command (length server))))

(defun continuo--recent-run (arguments done)
  "Start `continuo' with ARGUMENTS; call DONE with code, output and errors.
DONE is called outside of the sentinel, where it may ask a person."
  (let* ((command (append (continuo--recent-program) arguments))
         (default-directory "/")
         (output nil) (errors nil) (open 2) (main nil)
         (ended (lambda (process _)
                  (unless (process-live-p process)
                    (setq open (1- open))
                    (when (= open 0)
                      (run-at-time 0 nil done main
                                   (apply #'concat (nreverse output))
                                   (apply #'concat (nreverse errors)))))))
         (pipe (make-pipe-process
                :name "continuo-recent errors" :noquery t
                :coding 'utf-8-unix :sentinel ended
                :filter (lambda (_ text) (push text errors)))))
    (setq main (make-process
                :name "continuo-recent" :command command :noquery t
                :connection-type 'pipe :coding 'utf-8-unix :stderr pipe
                :sentinel ended :filter (lambda (_ text) (push text output))))
    (ignore-errors (process-send-eof main))
    main))

(defun continuo--recent-json (output)
  "OUTPUT, which is JSON, as lists and plists; nil for anything else."
  (let ((json-object-type 'plist) (json-array-type 'list)
        (json-key-type 'keyword) (json-null nil))
    (ignore-errors (json-read-from-string output))))

(defun continuo--recent-complain (process errors)
  "Tell ERRORS of PROCESS, which failed, in a sentence.
What is misspelt to it is of a newer release."
  (let ((sentence (string-trim (string-remove-prefix "Error: " errors)))
        (code (process-exit-status process)))
    (continuo--say "%s%s"
                   (if (= code 64) "This needs a newer Continuo: " "")
                   (if (equal sentence "") (format "it ended with %d" code)
                     sentence))))

;;; The list

(defun continuo--recent-time (stamp)
  "Return STAMP, a moment in ISO 8601, as the time of day here."
  (condition-case nil
      (format-time-string "%F %R" (encode-time (iso8601-parse stamp)))
    (error stamp)))

(defun continuo--recent-label (entry)
  "ENTRY in a line for people."
  (continuo--clean
   (string-join
    (delq nil
          (list (plist-get entry :title) (plist-get entry :app)
                (continuo--recent-time (or (plist-get entry :changedAt) ""))
                (or (plist-get entry :path) (plist-get entry :webpageURL))))
    "  ")))

(defun continuo--recent-choices (entries)
  "ENTRIES that can be opened, by lines that differ: (LINE . ENTRY) each."
  (let ((seen (make-hash-table :test #'equal)))
    (cl-loop for entry in entries
             for id = (and (listp entry) (plist-get entry :id))
             when (and (stringp id)
                       (let (case-fold-search)
                         (string-match-p
                          "\\`[0-9a-f]+\\.[0-9a-f]+\\'" id)))
             collect (let* ((line (continuo--recent-label entry))
                            (count (1+ (gethash line seen 0))))
                       (puthash line count seen)
                       (cons (if (= count 1) line
                               (format "%s <%d>" line count))
                             entry)))))

(defun continuo--recent-ask (choices)
  "Ask for one of CHOICES, which stay in their order; return its entry."
  (cdr (assoc (completing-read
               "Recently, anywhere: "
               (lambda (text predicate action)
                 (if (eq action 'metadata)
                     '(metadata (display-sort-function . identity)
                                (cycle-sort-function . identity))
                   (complete-with-action action choices text predicate)))
               nil t nil nil (caar choices))
              choices)))

(defun continuo--recent-listed (words process output errors)
  "Let the person choose from OUTPUT of PROCESS, which looked for WORDS.
ERRORS is what it said else."
  (when (eq process continuo--recent-process)
    (setq continuo--recent-process nil)
    (let* ((done (eql 0 (process-exit-status process)))
           (entries (and done (continuo--recent-json output)))
           (choices (and (listp entries) (continuo--recent-choices entries))))
      (cond
       ((not done) (continuo--recent-complain process errors))
       ((and (null entries) (string-prefix-p "[" output))
        (continuo--say "%s" (if words
                                (concat "Nothing kept for search has: " words)
                              "No app has kept anything for search")))
       ((not (consp entries)) (continuo--say "It listed no list"))
       ((null choices)
        (continuo--say "This needs a newer Continuo: it tells no `id' of \
what it lists"))
       ((active-minibuffer-window)
        (continuo--say "The list is there: M-x continuo-recent shows it"))
       (t (when-let ((entry (continuo--recent-ask choices)))
            (continuo--recent-open entry)))))))

;;; Opening

(defun continuo--recent-opened (process output errors)
  "Tell what PROCESS, which went on with one, said in OUTPUT or ERRORS."
  (let ((said (continuo--recent-json output))
        (code (process-exit-status process)))
    ;; 3: nothing here takes it, and the sentence says so.
    (if (or (= code 0) (and said (= code 3)))
        (continuo--say "%s" (or (plist-get said :message) "It was opened"))
      (continuo--recent-complain process errors))))

(defun continuo--recent-open (entry)
  "Go on with ENTRY, here or in the app that takes it."
  (continuo--recent-run
   (list "recent" "--open" "--json" (concat "--id=" (plist-get entry :id)))
   #'continuo--recent-opened))

;;;###autoload
(defun continuo-recent (words)
  "Choose among what apps on this device kept for search.
With WORDS, what has all of them, each also as the beginning of a longer
one; else the newest.  What you choose is gone on with where it was left: in
the app that kept it or another one that takes it, which is started where it
does not run.  That is this Emacs where it takes it."
  (interactive (list (read-string "Recently, with the words (RET for all): ")))
  (unless continuo-mode (user-error "Turn on `continuo-mode' first"))
  (let ((words (and (not (string-blank-p words)) words)))
    (when continuo--recent-process (delete-process continuo--recent-process))
    (setq continuo--recent-process
          (continuo--recent-run
           (append (list (if words "search" "recent") "--json" "--count"
                         (number-to-string continuo--recent-most))
                   ;; Words are no options, however they begin.
                   (and words (list "--" words)))
           (lambda (process output errors)
             (continuo--recent-listed words process output errors))))))

(provide 'continuo-recent)
;;; continuo-recent.el ends here
