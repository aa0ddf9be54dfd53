package main

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
)

// serverVariable has this program be the etcd: its folder and addresses, and whether it waits for the disk.
const serverVariable = "IDUMB_SIMULATE_ETCD"

// quota is the largest that etcd's documentation advises.
const quota = 8 << 30

// serve is the etcd, in a process that is to be one: it does not return there.
func serve() {
	words := strings.Split(os.Getenv(serverVariable), " ")
	if len(words) != 4 {
		return
	}
	c := embed.NewConfig()
	c.Dir, c.QuotaBackendBytes = words[0], quota
	c.UnsafeNoFsync = words[3] == noFsync
	c.AutoCompactionMode, c.AutoCompactionRetention = "periodic", "1h"
	c.Logger, c.LogOutputs = "zap", []string{os.DevNull}
	client, err := url.Parse(words[1])
	peer, wrong := url.Parse(words[2])
	if err = errors.Join(err, wrong); err == nil {
		c.ListenClientUrls, c.AdvertiseClientUrls = []url.URL{*client}, []url.URL{*client}
		c.ListenPeerUrls, c.AdvertisePeerUrls = []url.URL{*peer}, []url.URL{*peer}
		c.InitialCluster = c.InitialClusterFromName(c.Name)
		var e *embed.Etcd
		if e, err = embed.StartEtcd(c); err == nil {
			err = <-e.Err()
		}
	}
	fmt.Fprintln(os.Stderr, "etcd:", err)
	os.Exit(1)
}

// server is the etcd's process.
type server struct {
	dir, url string
	cmd      *exec.Cmd
}

// noFsync is said to an etcd that is not to wait for the disk.
const noFsync = "no-fsync"

func startServer(forgets bool) (*server, error) {
	dir, err := os.MkdirTemp("", "idumb-simulate-")
	if err != nil {
		return nil, err
	}
	client, err := free()
	peer, wrong := free()
	if err = errors.Join(err, wrong); err != nil {
		return nil, err
	}
	s := &server{dir: dir, url: client, cmd: exec.Command(os.Args[0])}
	s.cmd.Env = append(os.Environ(), serverVariable+"="+dir+" "+client+" "+peer+" "+map[bool]string{true: noFsync, false: "fsync"}[forgets])
	s.cmd.Stderr = os.Stderr
	return s, s.cmd.Start()
}

func free() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return "http://" + l.Addr().String(), nil
}

func (s *server) stop() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	_ = os.RemoveAll(s.dir)
}

// String is what the etcd takes.
func (s *server) String() string {
	var disk int64
	_ = filepath.Walk(s.dir, func(_ string, info os.FileInfo, err error) error {
		if err == nil && info.Name() == "db" {
			disk += info.Size()
		}
		return nil
	})
	return fmt.Sprintf("%d MB of memory, database of %d MB", resident(s.cmd.Process.Pid)>>20, disk>>20)
}

// resident is how much memory a process has, see proc_pid_statm(5).
func resident(pid int) int64 {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	fields := strings.Fields(string(data))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// cpu is how long a process has computed, see proc_pid_stat(5).
func cpu(pid int) time.Duration {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(data), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// syncs says, after a while, how long it took meanwhile to write something for good where the etcd
// does: other programs of this machine have their share in that.
func (s *server) syncs(during time.Duration) <-chan []time.Duration {
	said := make(chan []time.Duration, 1)
	go func() {
		var took []time.Duration
		defer func() { said <- took }()
		f, err := os.Create(filepath.Join(s.dir, "probe"))
		if err != nil {
			return
		}
		defer f.Close()
		for end := time.Now().Add(during); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			began := time.Now()
			_, err = f.WriteAt(make([]byte, 4096), 0)
			if errors.Join(err, f.Sync()) == nil {
				took = append(took, time.Since(began))
			}
		}
	}()
	return said
}
