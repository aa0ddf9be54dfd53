//go:build !linux

package doctor

// watchLimits returns an empty string. Only Linux has limits that other programs can exhaust.
func watchLimits() string { return "" }
