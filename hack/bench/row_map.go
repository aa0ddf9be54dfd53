package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/hack/drive"
)

// measureMap measures building and updating the index of a large working tree, in this process,
// with as many workers as processors.
func measureMap(b *bench) ([]Result, error) {
	n := b.size(100_000, 2_000)
	dir, err := os.MkdirTemp("", "idumb-bench-map-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	files, err := growTree(dir, n)
	if err != nil {
		return nil, err
	}
	var results []Result
	root, size := layout.Root(dir), fmt.Sprintf("%d files", n)
	add := func(what, goal string, floor, ours time.Duration) {
		results = append(results, Result{"map", what + ", " + size, "ms", ms(floor), ms(ours), goal})
	}
	read, err := timed(func() error { return readAll(dir, files) })
	if err != nil {
		return nil, err
	}
	cold := inventory.New(root, runtime.NumCPU())
	took, err := timed(func() error { return leveled(cold) })
	if err != nil {
		return nil, err
	}
	add("cold pass (floor: reading all)", "8 s", read, took)
	before := heap()
	warm := inventory.New(root, runtime.NumCPU())
	if took, err = timed(func() error { return leveled(warm) }); err != nil {
		return nil, err
	}
	add("warm pass, facts kept (floor: reading all)", "1 s", read, took)
	results = append(results, Result{"map", "heap a file, " + size, "KB", 0, float64(heap()-before) / float64(n) / 1024, "1.5 KB"})
	listed, err := timed(func() error { return listAll(dir) })
	if err != nil {
		return nil, err
	}
	if took, err = timed(func() error { return leveled(warm) }); err != nil {
		return nil, err
	}
	add("pass without a change (floor: git's list and lstat)", "0.4 s", listed, took)
	if took, err = timed(func() error { return warm.Ask(context.Background(), func(k inventory.Snapshot) { k.Graph() }) }); err != nil {
		return nil, err
	}
	add("the graph of imports", "", 0, took)
	took, err = touchSome(warm, dir, files)
	add("a changed file, to its dependents and findings, p95", "5 ms", 0, took)
	runtime.KeepAlive(cold)
	return results, err
}

func timed(run func() error) (time.Duration, error) {
	began := time.Now()
	err := run()
	return time.Since(began), err
}

func leveled(i *inventory.Inventory) error {
	_, err := i.Update(context.Background())
	return err
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// growTree creates and commits a repository of n unique files with this project's code, in a
// quarter as many directories.
func growTree(dir string, n int) (files []string, err error) {
	texts, err := ownCode()
	if err != nil {
		return nil, err
	}
	for i := range n {
		file := fmt.Sprintf("p%d/q%d/f%d.go", i%50, i/50%(n/200+1), i)
		files = append(files, file)
		abs := filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(abs, fmt.Appendf(nil, "%s\nvar unique%d int\n", texts[i%len(texts)], i), 0o644); err != nil {
			return nil, err
		}
	}
	repo := &drive.Repo{Dir: dir}
	return files, errors.Join(repo.Git("init", "-q"), repo.Git("add", "-A"))
}

// ownCode returns the Go code below the working directory, which must be the project's.
func ownCode() (texts []string, err error) {
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		data, err := os.ReadFile(path)
		texts = append(texts, string(data))
		return err
	})
	if err == nil && len(texts) == 0 {
		err = fmt.Errorf("no Go code found; run it in the project's directory")
	}
	return texts, err
}

func readAll(dir string, files []string) error {
	for _, file := range files {
		if _, err := os.ReadFile(filepath.Join(dir, file)); err != nil {
			return err
		}
	}
	return nil
}

// listAll performs the minimal work to detect changes.
func listAll(dir string) error {
	out, err := drive.Git(dir, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return err
	}
	for path := range strings.SplitSeq(out, "\x00") {
		if _, err := os.Lstat(filepath.Join(dir, path)); err != nil {
			return err
		}
	}
	return nil
}

// touchSome changes files one by one, and returns the 95th percentile of the update time.
func touchSome(i *inventory.Inventory, dir string, files []string) (time.Duration, error) {
	var all []time.Duration
	for n := range 200 {
		file := files[n*len(files)/200]
		text := fmt.Sprintf("package p\n\nfunc Changed%d() {}\n", n)
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			return 0, err
		}
		took, _ := timed(func() error {
			i.IfCached(func(k inventory.Snapshot) { k.Touch(file); k.Graph().Dependents(file); k.RemovedExports(file) })
			return nil
		})
		all = append(all, took)
	}
	return percentile(all, 95), nil
}
