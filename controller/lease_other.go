//go:build !unix

package controller

const lockFlags = 0
