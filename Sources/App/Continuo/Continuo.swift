// SPDX-License-Identifier: MIT

@_exported public import ActivityModel
@_exported public import Documents
@_exported public import UserActivities
