#pragma once

#include <cinttypes>
