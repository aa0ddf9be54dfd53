//go:build !unix

package layout

const openNonblock = 0
