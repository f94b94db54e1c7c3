// Numbers of 16 bits, as declarations for an editor.
#pragma once
#pragma GCC system_header
#include "number16.h"

EDITOR_NUMBER16(__half, __half2, half)
typedef __half half;
typedef __half2 half2;
