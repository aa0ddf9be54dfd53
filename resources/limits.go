package resources

// What a file may be. Everything is checked before a byte of it is decoded.
const (
	// MaxFileSize is the largest file that can be an object: 1 MiB.
	MaxFileSize = 1 << 20
	// MaxNesting is how deep objects and lists may be nested.
	MaxNesting = 32
)
