//go:build !unix

package filestore

const lockFlags = 0
