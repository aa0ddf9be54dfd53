package filestore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// BenchmarkPut is a compare-and-swap write of 1 KB; BenchmarkBareWrite is the floor,
// with and without waiting for the disk.
func BenchmarkPut(b *testing.B) {
	s := empty(b)
	ctx := context.Background()
	rev, err := s.Put(ctx, task("a"), taskFile(0), "")
	if err != nil {
		b.Fatal(err)
	}
	for i := 1; b.Loop(); i++ {
		if rev, err = s.Put(ctx, task("a"), taskFile(i), rev); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBareWrite(b *testing.B) {
	for _, sync := range []bool{true, false} {
		b.Run(fmt.Sprintf("sync=%t", sync), func(b *testing.B) {
			dir := b.TempDir()
			for i := 0; b.Loop(); i++ {
				if err := bareWrite(dir, taskFile(i), sync); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func bareWrite(dir string, data []byte, sync bool) error {
	f, err := os.Create(filepath.Join(dir, "t"))
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if sync {
		if err := f.Sync(); err != nil {
			return err
		}
	}
	if err := os.Rename(f.Name(), filepath.Join(dir, "a.json")); err != nil || !sync {
		return err
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}

// BenchmarkUpdateOfMany is an import of 600 objects.
func BenchmarkUpdateOfMany(b *testing.B) {
	s := empty(b)
	for round := 0; b.Loop(); round++ {
		err := s.Update(context.Background(), func(tx store.Tx) error {
			for i := range 600 {
				if _, err := tx.Put(task(fmt.Sprintf("t%d-%d", round, i)), taskFile(i), ""); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPutAll is what comes to a clone that joins a team, and what is applied at once.
func BenchmarkPutAll(b *testing.B) {
	for _, count := range []int{16, 63, 64, 200, 1000} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			s := empty(b)
			for round := 0; b.Loop(); round++ {
				var list []store.Write
				for i := range count {
					list = append(list, store.Write{Key: task(fmt.Sprintf("t%d-%d", round, i)), Spec: taskFile(i)})
				}
				err := s.Update(context.Background(), func(tx store.Tx) error { return errors.Join(tx.PutAll(list, nil)...) })
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*count), "us/file")
		})
	}
}

func BenchmarkPutStatus(b *testing.B) {
	s := empty(b)
	for i := 0; b.Loop(); i++ {
		if err := s.PutStatus(context.Background(), task("a"), fmt.Appendf(nil, "%0500d\n", i)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGet(b *testing.B) {
	s := empty(b)
	if _, err := s.Put(context.Background(), task("a"), taskFile(0), ""); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.Get(context.Background(), task("a")); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWatch is the time from a save to its hint: an editor that renames over,
// and one that writes in place.
func BenchmarkWatch(b *testing.B) {
	for _, way := range []string{"rename", "in place"} {
		b.Run(way, func(b *testing.B) {
			s := empty(b)
			hints := make(chan resources.Key, 1000)
			ctx, stop := context.WithCancel(context.Background())
			defer stop()
			go s.Watch(ctx, func(key resources.Key) { hints <- key })
			<-hints
			os.Mkdir(s.root.Abs(".idumb/tasks"), 0o755)
			time.Sleep(50 * time.Millisecond) // for the folder to be watched
			for i := 0; b.Loop(); i++ {
				name := fmt.Sprintf("t%d", i) // one that does not keep changing
				path := s.root.Abs(".idumb/tasks/" + name + ".json")
				if way == "rename" {
					os.WriteFile(path+".tmp", taskFile(i), 0o644)
					os.Rename(path+".tmp", path)
				} else {
					os.WriteFile(path, taskFile(i), 0o644)
				}
				for key := range hints {
					if key.Name == name {
						break
					}
				}
			}
		})
	}
}
