// SPDX-License-Identifier: MIT
#pragma once

/// An eventfd that is readable while the main queue has work. -1 on a thread that did not load libdispatch.
int _dispatch_get_main_queue_handle_4CF(void);

/// Runs what the main queue holds. Only on the thread that loaded libdispatch.
void _dispatch_main_queue_callback_4CF(void *message);
