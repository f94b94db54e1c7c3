// No call here sets it: what fails says so by its result.
#pragma once

static __HOST_CODE int __warpgrade_errno;
#define errno __warpgrade_errno
#define ENOENT 2
#define ENOMEM 12
#define EINVAL 22
#define EDOM 33
#define ERANGE 34
