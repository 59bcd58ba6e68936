;;; continuo-versions.el --- Versions in conflict for Continuo  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT
;; Author: Continuo contributors

;;; Commentary:

;; A file and the conflict copies that a sync engine left beside it: two of
;; them are compared with Ediff, or one is kept.  Nothing is deleted.

;;; Code:

(require 'continuo)
(require 'ediff)

(defun continuo--version-name (version)
  "VERSION in a line for people."
  (continuo--clean
   (string-join
    (delq nil
          (list (if (continuo--true (plist-get version :document))
                    "the document here"
                  (continuo--short (plist-get version :uri)))
                (when-let ((device (plist-get version :device)))
                  (concat "of device " device))
                (when-let ((time (plist-get version :putAside)))
                  (concat "put aside " time))
                (format-time-string "changed %F %R"
                                    (/ (plist-get version :changedAt) 1000))
                (format "%s bytes" (plist-get version :size))))
    ", ")))

(defun continuo--choices (versions)
  "What can be done about VERSIONS: (TEXT ACTION VERSION) each."
  (append
   (cl-loop for version in versions
            unless (continuo--true (plist-get version :document))
            collect (list (concat "Compare with "
                                  (continuo--version-name version))
                          'compare version))
   (cl-loop for version in versions
            when (continuo--true (plist-get version :readable))
            collect (list (concat "Keep " (continuo--version-name version))
                          'keep version))))

(defun continuo--kept (uri answer)
  "Show the document URI as it was kept, and by ANSWER where the others are."
  (mapc (lambda (each)
          (if-let ((reason (plist-get each :reason)))
              (continuo--say "%s" reason)
            (continuo--say "%s is in %s now"
                           (continuo--short (plist-get each :from))
                           (continuo--short (plist-get each :uri)))))
        (plist-get answer :aside))
  (continuo--disk (list :uri uri :change "changed")))

(defun continuo--keep (buffer uri version)
  "Make VERSION the file of BUFFER, which is the document URI."
  (dolist (each (list buffer (find-buffer-visiting
                              (continuo--file (plist-get version :uri)))))
    (when (and each (buffer-modified-p each))
      (user-error "%s has unsaved changes; save them first"
                  (continuo--clean (buffer-name each)))))
  (continuo--request
   'document/resolve (list :uri uri :keep (plist-get version :uri))
   (lambda (answer) (run-at-time 0 nil #'continuo--kept uri answer))))

(defun continuo--compare (buffer version)
  "Compare BUFFER with VERSION, side by side."
  (let ((file (continuo--file (plist-get version :uri))))
    (unless (continuo--local-p file)
      (user-error "Emacs would take its name for that of a file elsewhere"))
    (ediff-buffers buffer (find-file-noselect file t))))

(defun continuo--choose-version (buffer uri versions)
  "Ask what to do about VERSIONS of BUFFER, which is the document URI."
  (when (buffer-live-p buffer)
    (let* ((choices (continuo--choices versions))
           (choice (cdr (assoc (completing-read
                                (format "%d versions: " (length versions))
                                choices nil t)
                               choices))))
      (pcase choice
        (`(compare ,version) (continuo--compare buffer version))
        (`(keep ,version) (continuo--keep buffer uri version))))))

;;;###autoload
(defun continuo-resolve ()
  "Choose between this file and the conflict copies beside it.
Compare one with it in Ediff, where you merge and save in either; or keep
one, which gets the name of the file.  Each other one gets a name that says
so.  Nothing is deleted."
  (interactive)
  (unless continuo-mode (user-error "Turn on `continuo-mode' first"))
  (unless continuo--uri
    (user-error "This buffer has no file in which versions can be in conflict"))
  (let ((buffer (current-buffer))
        (uri continuo--uri))
    (continuo--request
     'document/versions (list :uri uri)
     (lambda (answer)
       (if-let ((versions (append (plist-get answer :versions) nil)))
           ;; A question is asked outside of the process filter.
           (run-at-time 0 nil #'continuo--choose-version buffer uri versions)
         (continuo--say "No conflict copy lies beside %s"
                        (continuo--short uri)))))))

(provide 'continuo-versions)
;;; continuo-versions.el ends here
