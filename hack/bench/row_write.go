package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/resources"
)

// measureWrite measures a compare-and-swap write of a 1 KB task through the store. The floors write
// the same bytes to a temporary file and rename it, once without and once with fsync of the file
// and its directory.
func measureWrite(b *bench) ([]Result, error) {
	repo, err := repoWithTasks(b, 1, independent)
	if err != nil {
		return nil, err
	}
	defer repo.Remove()
	path := repo.Path("tasks", taskName(0)+".json")
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	store, err := filestore.Open(repo.Dir)
	if err != nil {
		return nil, err
	}
	var bare, synced, swapped []time.Duration
	for round := range b.size(300, 30) {
		changed := append(data[:len(data):len(data)], fmt.Sprintf("%*s\n", round%7, "")...)
		for _, floor := range []struct {
			sync bool
			took *[]time.Duration
		}{{false, &bare}, {true, &synced}} {
			d, err := bareWrite(filepath.Join(repo.Dir, "floor.json"), changed, floor.sync)
			if err != nil {
				return nil, err
			}
			*floor.took = append(*floor.took, d)
		}
		d, err := swap(store, changed)
		if err != nil {
			return nil, err
		}
		swapped = append(swapped, d)
	}
	ours := us(percentile(swapped, 50))
	return []Result{
		{What: "compare-and-swap write, fsync of both included", Unit: "us", Floor: us(percentile(synced, 50)), Ours: ours, Goal: "2x, fsync aside"},
		{What: "the same against a write without fsync", Unit: "us", Floor: us(percentile(bare, 50)), Ours: ours, Goal: "for comparison"},
	}, nil
}

func swap(store *filestore.Store, data []byte) (time.Duration, error) {
	ctx, key := context.Background(), resources.Key{Kind: resources.Tasks, Name: taskName(0)}
	began := time.Now()
	record, err := store.Get(ctx, key)
	if err != nil {
		return 0, err
	}
	if _, err := store.Put(ctx, key, data, record.Rev); err != nil {
		return 0, err
	}
	return time.Since(began), nil
}

// bareWrite replaces a file by a rename, with or without fsync of file and directory.
func bareWrite(path string, data []byte, sync bool) (time.Duration, error) {
	began := time.Now()
	f, err := os.Create(path + ".tmp")
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		return 0, err
	}
	if sync {
		if err := f.Sync(); err != nil {
			return 0, err
		}
	}
	if err := os.Rename(path+".tmp", path); err != nil {
		return 0, err
	}
	if sync {
		folder, err := os.Open(filepath.Dir(path))
		if err != nil {
			return 0, err
		}
		defer folder.Close()
		if err := folder.Sync(); err != nil {
			return 0, err
		}
	}
	return time.Since(began), nil
}
