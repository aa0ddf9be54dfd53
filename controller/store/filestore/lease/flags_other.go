//go:build !unix

package lease

const lockFlags = 0
