// Numbers of 16 bits with the exponent of a float, as declarations for an editor.
#pragma once
#pragma GCC system_header
#include "number16.h"

EDITOR_NUMBER16(__nv_bfloat16, __nv_bfloat162, bfloat16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
