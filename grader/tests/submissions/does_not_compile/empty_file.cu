// stage: transpose/open
// says: launcher_missing
