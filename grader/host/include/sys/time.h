#pragma once

#include <ctime>
