// stage: reduction/interleaved
// Wants to see the machine's users in an error message.
#include "/etc/passwd"
#include "../../../../../../../../etc/passwd"

void reduce(const float* in, unsigned long n, float* scratch, float* out) {}
