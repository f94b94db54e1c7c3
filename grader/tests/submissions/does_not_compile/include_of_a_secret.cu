// stage: transpose/open
// says: compiler
// A file of the machine that grades.
#include "/etc/passwd"  // <--

void transpose(const float*, float*, int, int) {}
