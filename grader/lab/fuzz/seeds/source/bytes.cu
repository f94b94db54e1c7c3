#include <a.h>#include "../b"
/* \
*/ __has_include(<c>)ÿ
