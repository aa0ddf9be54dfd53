//go:build !linux

package doctor

// watchLimits returns an empty string. Only Linux has limits that other programs can exhaust.
func watchLimits() string { return "" }

// diskLimits returns an empty string, because free space is only read on Linux.
func diskLimits(string) string { return "" }
