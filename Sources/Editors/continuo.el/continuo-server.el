;;; continuo-server.el --- The server that speaks for Continuo  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT
;; Author: Continuo contributors

;;; Commentary:

;; Starts "continuo serve --stdio", starts it again when it dies, and sends
;; and takes in what both say.  What is done about it is not known here: it
;; is methods of `continuo--requested' and `continuo--notified'.

;;; Code:

(require 'continuo-place)
(require 'jsonrpc)
(require 'seq)
(require 'subr-x)

(defgroup continuo nil
  "Continue documents where you left them, on another device."
  :group 'files
  :prefix "continuo-")

(defcustom continuo-command '("continuo" "serve" "--stdio")
  "The program that speaks for Continuo, and its arguments."
  :type '(repeat string)
  :group 'continuo)

(defcustom continuo-open-documents nil
  "Whether a file is offered with what else is open in synced folders.
Another device takes it all with one command, or the file alone.  The server
hears of it when it starts: see `continuo-restart'."
  :type 'boolean
  :group 'continuo)

(defcustom continuo-log-size 0
  "How many characters of messages the buffer `*continuo events*' keeps."
  :type 'integer
  :group 'continuo)

(defvar continuo-mode)
(defvar continuo--connection nil "The connection to the server, or nil.")
(defvar continuo--ready nil "Whether the server has answered `initialize'.")
(defvar continuo--trouble nil "Why there is no connection, a sentence or nil.")
(defvar continuo--starts nil "When the server was started in the last minute.")
(defvar continuo--pause 1 "Seconds before the server is started again.")
(defvar continuo--timer nil "The timer that starts the server again, or nil.")
(defvar continuo--patience 2 "Seconds that the last state may take.")
(defvar continuo--opening 0 "Documents that the server has not answered yet.")
(defvar continuo--ready-hook nil "Hook run when the server is ready.")
(defvar continuo--ended-hook nil "Hook run when the server is gone.")
(defvar continuo--wanted-hook nil
  "Hook run until a function tells that there is something for a server.")

(cl-defgeneric continuo--requested (method params)
  "Return the answer to the request METHOD with PARAMS, or a function for it."
  (ignore params)
  (jsonrpc-error :code -32601
                 :message (format "Emacs does not know %s" method)))

(cl-defgeneric continuo--notified (_method _params)
  "Take in the notification METHOD with PARAMS; others are ignored."
  nil)

(defun continuo--say (format &rest arguments)
  "Tell FORMAT with ARGUMENTS in the echo area."
  (message "Continuo: %s"
           (continuo--clean (apply #'format-message format arguments))))

(defun continuo--true (value)
  "Whether VALUE, which came as JSON, is true."
  (and value (not (eq value :json-false))))

(defun continuo--json (value)
  "VALUE as a JSON boolean."
  (if value t :json-false))

;;; Messages

(defclass continuo-connection (jsonrpc-process-connection) ()
  "A connection whose requests may be answered a moment later.")

(cl-defmethod jsonrpc-connection-send ((connection continuo-connection)
                                       &rest arguments)
  "Send the message ARGUMENTS over CONNECTION.
A function in place of the result is called for it outside of the process
filter, where saving a file may run other processes."
  (if (functionp (plist-get arguments :result))
      (run-at-time 0 nil #'continuo--answer connection
                   (plist-get arguments :id) (plist-get arguments :result))
    (cl-call-next-method)))

(defun continuo--take (method params)
  "Take in the notification METHOD with PARAMS."
  (continuo--guarded
   (lambda () (continuo--notified method (continuo--cleaned params))))
  (force-mode-line-update t))

(defun continuo--guarded (function)
  "Call FUNCTION; tell an error of it.
In the process filter it would take along what came in the same piece."
  (condition-case failure (funcall function)
    (error (continuo--say "%s" (error-message-string failure)))))

(defun continuo--answer (connection id function)
  "Answer the request ID of CONNECTION with the value of FUNCTION."
  (let ((answer (condition-case failure (list :result (funcall function))
                  (error (list :error
                               (list :code -32603 :message
                                     (continuo--clean
                                      (error-message-string failure))))))))
    (ignore-errors
      (apply #'jsonrpc-connection-send connection :id id answer))))

(defun continuo--notify (method &rest params)
  "Send the notification METHOD with PARAMS when there is a connection."
  (when continuo--ready
    (ignore-errors (jsonrpc-notify continuo--connection method params))))

(defun continuo--request (method params &optional done)
  "Send the request METHOD with PARAMS; call DONE with the result.
A failure is told in the echo area."
  (when continuo--ready
    (condition-case failure
        (let ((answered (continuo--count-opening method)))
          (jsonrpc-async-request
           continuo--connection method params
           :timeout nil
           :success-fn (lambda (result)
                         (funcall answered)
                         (when done
                           (continuo--guarded
                            (lambda ()
                              (funcall done (continuo--cleaned result))))))
           :error-fn (lambda (failed)
                       (funcall answered)
                       ;; -1: the server died.
                       (unless (eql -1 (plist-get failed :code))
                         (continuo--say "%s" (plist-get failed :message))))))
      (error (continuo--say "%s" (error-message-string failure))))))

(defun continuo--count-opening (method)
  "Count METHOD if it opens a document; return what is called when answered."
  (let ((connection continuo--connection))
    (if (not (eq method 'document/open))
        #'ignore
      (setq continuo--opening (1+ continuo--opening))
      (lambda ()
        (when (eq connection continuo--connection)
          (setq continuo--opening (1- continuo--opening)))))))

;;; The process

(defun continuo--start ()
  "Start the server unless there is one."
  (setq continuo--timer nil)
  (cond
   (continuo--connection)
   ((not (executable-find (car continuo-command)))
    (setq continuo--trouble
          (format-message "the program `%s' is not in `exec-path': install \
Continuo, or set `continuo-command'" (car continuo-command)))
    (continuo--say "%s" continuo--trouble))
   (t
    (setq continuo--opening 0)
    (push (float-time) continuo--starts)
    (condition-case failure
        (setq continuo--connection (continuo--connect))
      (error (setq continuo--trouble (error-message-string failure))
             (continuo--say "%s" continuo--trouble)))
    ;; One that died already is noticed by its sentinel.
    (ignore-errors (continuo--initialize)))))

(defun continuo--initialize ()
  "Say to the server who we are."
  (jsonrpc-async-request
   continuo--connection 'initialize
   `( :protocolVersion 2 :positionEncoding "utf-32"
      :capabilities (:drafts t :openDocuments
                     ,(continuo--json continuo-open-documents))
      :app (:id "org.gnu.emacs" :name "Emacs" :version ,emacs-version))
   :timeout nil
   :success-fn #'continuo--initialized
   :error-fn (lambda (failed)
               (unless (eql -1 (plist-get failed :code)) ; the server died
                 (setq continuo--trouble
                       (continuo--clean (plist-get failed :message)))
                 (continuo--say "%s" continuo--trouble)
                 ;; Nobody waits for one that refuses Emacs.
                 (run-at-time 0 nil #'continuo--stop)))))

(defun continuo--connect ()
  "Start the server and return the connection to it."
  (apply #'make-instance 'continuo-connection
         :name "continuo"
         :process (lambda ()
                    (let ((default-directory "/"))
                      (make-process
                       :name "continuo" :command continuo-command
                       :connection-type 'pipe :coding 'utf-8-emacs-unix
                       :noquery t
                       :stderr (get-buffer-create "*continuo stderr*"))))
         :request-dispatcher (lambda (_ method params)
                               (continuo--requested
                                method (continuo--cleaned params)))
         :notification-dispatcher
         (lambda (_ method params)
           (run-at-time 0 nil #'continuo--take method params))
         :on-shutdown #'continuo--ended
         (if (boundp 'jsonrpc-event-hook)
             (list :events-buffer-config
                   (list :size continuo-log-size :format 'full))
           (list :events-buffer-scrollback-size continuo-log-size))))

(defun continuo--initialized (_answer)
  "The server is ready."
  (setq continuo--ready t
        continuo--trouble nil)
  (run-hooks 'continuo--ready-hook))

(defun continuo--ended (connection)
  "Start the server again after CONNECTION has ended by itself."
  (when (eq connection continuo--connection)
    (continuo--forget)
    (when (bound-and-true-p continuo-mode)
      (let ((minute-ago (- (float-time) 60)))
        (setq continuo--starts
              (seq-filter (lambda (time) (> time minute-ago))
                          continuo--starts)))
      (if (< (length continuo--starts) 5)
          (setq continuo--timer
                (run-at-time (* continuo--pause
                                (expt 2 (1- (length continuo--starts))))
                             nil #'continuo--start))
        (setq continuo--trouble (format-message "`%s' ended five times in a \
minute: see the buffer ` *continuo stderr*', then M-x continuo-restart"
                                                (car continuo-command)))
        (continuo--say "%s" continuo--trouble)))))

(defun continuo--forget ()
  "Forget the connection, and whatever belonged to it."
  (setq continuo--connection nil
        continuo--ready nil)
  (run-hooks 'continuo--ended-hook))

(defun continuo--say-last ()
  "Have the server, which is ready, publish the last state.
Return nil if it dies over that.  What it does not know yet is not offered."
  (let ((connection continuo--connection))
    (while (and (> continuo--opening 0)
                (eq connection continuo--connection))
      (accept-process-output nil 0.05))
    (when (eq connection continuo--connection)
      (condition-case nil
          (progn
            (jsonrpc-request connection 'shutdown nil
                             :timeout continuo--patience)
            t)
        (error
         ;; The sentinel tells of a server that died.
         (accept-process-output nil 0.05)
         (and (eq connection continuo--connection)
              (jsonrpc-running-p connection)))))))

(defun continuo--await-server ()
  "Wait until a server is ready, if there will be one.
Return nil if there is none."
  (while (and (not continuo--ready)
              (or continuo--connection continuo--timer))
    (if (not continuo--timer)
        (accept-process-output nil 0.05)
      (cancel-timer continuo--timer)
      (continuo--start)))
  continuo--ready)

(defun continuo--stop (&optional last)
  "End the connection, after the server has published the last state.
If LAST, wait also for a server that only starts, be it in place of one
that died, where there is something to say to it."
  (with-timeout (continuo--patience)
    (while (and (if (and last
                         (run-hook-with-args-until-success
                          'continuo--wanted-hook))
                    (continuo--await-server)
                  continuo--ready)
                (not (continuo--say-last)))))
  (when continuo--timer (cancel-timer continuo--timer))
  (setq continuo--timer nil)
  (when-let ((connection continuo--connection))
    (ignore-errors
      (when continuo--ready
        (jsonrpc-notify connection 'exit nil)
        (with-timeout (1)
          (while (jsonrpc-running-p connection)
            (accept-process-output nil 0.05)))))
    (continuo--forget)
    (ignore-errors (delete-process (jsonrpc--process connection)))))

(provide 'continuo-server)
;;; continuo-server.el ends here
