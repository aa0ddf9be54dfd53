package scaffold

import (
	"io/fs"

	"github.com/idumb-dev/idumb/resources"
)

// triggers lists the shipped triggers.
func triggers() ([]Entry, error) {
	found, err := fs.ReadDir(files, "files/"+resources.Triggers)
	if err != nil {
		return nil, err
	}
	var list []Entry
	for _, f := range found {
		list = append(list, Entry{Path: resources.Triggers + "/" + f.Name(), Mode: 0o644, Data: embedded(resources.Triggers + "/" + f.Name())})
	}
	return list, nil
}
