// All of it is in editor.h, which is read before each file.
