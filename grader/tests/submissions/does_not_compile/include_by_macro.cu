// stage: transpose/open
// says: compiler
// The name of the file is made by a macro.
#define FOLDER </etc/
#define WHERE "/etc/hostname"
#include WHERE  // <--

void transpose(const float*, float*, int, int) {}
