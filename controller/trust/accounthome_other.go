//go:build !unix && !windows

package trust

// AccountHome is "": this system has no home of a user on file.
func AccountHome() string { return "" }
