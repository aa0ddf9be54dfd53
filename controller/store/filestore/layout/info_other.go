//go:build !linux && !darwin

package layout

import "io/fs"

// InfoOf takes what identifies a version of a file from what Lstat returned.
func InfoOf(info fs.FileInfo) Info {
	return Info{Size: info.Size(), ModTime: info.ModTime(), Mode: info.Mode()}
}
