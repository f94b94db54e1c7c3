#pragma once

#include <cctype>
