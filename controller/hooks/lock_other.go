//go:build !unix

package hooks

// lockFile cannot lock here without another library: two runs at once may lose one another's
// change of a counter.
func lockFile(string) (unlock func(), err error) { return func() {}, nil }
