//go:build !linux

package doctor

// watchLimits says why files cannot be watched; "" if they can. Only Linux has
// limits that are used up by other programs.
func watchLimits() string { return "" }
