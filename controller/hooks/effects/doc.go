// Package effects determines the effects of a tool call or a command line on
// files. It resolves paths regardless of their spelling, expands patterns, and
// lists the files of a patch. It also lists the objects that a command of idumb
// is given, and the new content of files. It reads files, but it changes none
// and decides nothing: package admission decides.
package effects
