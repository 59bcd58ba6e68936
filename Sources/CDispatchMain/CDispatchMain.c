#include "CDispatchMain.h"
