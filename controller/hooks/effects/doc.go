// Package effects finds out what a call of a tool or a command line does to files: where a path
// leads, whichever way it is spelt; what a pattern stands for; which files a patch names; and which
// objects a command of idumb is given, or a file will hold. It looks at files and changes none,
// and decides nothing: package admission does.
package effects
