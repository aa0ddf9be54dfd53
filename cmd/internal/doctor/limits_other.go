//go:build !linux

package doctor

// watchLimits returns an empty string. Only Linux has limits that other programs can exhaust.
func watchLimits() string { return "" }

// mayWrite returns nil, because permissions are only checked on Linux.
func mayWrite(string) error { return nil }

// diskLimits returns an empty string, because free space is only read on Linux.
func diskLimits(string) string { return "" }
