package filestore

import "sync"

// sources are the files of the repository that Watch reports besides objects.
type sources struct {
	mu    sync.Mutex
	paths map[string]bool
}
