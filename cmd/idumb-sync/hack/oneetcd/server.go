// Package oneetcd runs a real etcd in a separate process, for programs that
// measure or disturb it.
package oneetcd

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

// variable makes this program run the etcd. It contains its directory and
// addresses, and whether it flushes to disk.
const variable = "IDUMB_ONE_ETCD"

// quota is the largest quota that etcd's documentation recommends.
const quota = 8 << 30

// Serve must be called first in main. It does not return in a process that runs
// the etcd.
func Serve() {
	words := strings.Split(os.Getenv(variable), " ")
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

// Server is the process of an etcd.
type Server struct {
	URL  string
	dir  string // directory of its files
	what string // value of variable
	cmd  *exec.Cmd
}

// noFsync is the option for an etcd that does not flush to disk.
const noFsync = "no-fsync"

// Start runs an etcd with files in a new directory below dir, or below the
// system's temporary directory for "". With forgets it does not flush to disk:
// its data survives the end of its process, but not that of the machine.
func Start(dir string, forgets bool) (*Server, error) {
	dir, err := os.MkdirTemp(dir, "idumb-etcd-")
	if err != nil {
		return nil, err
	}
	client, err := free()
	peer, wrong := free()
	if err = errors.Join(err, wrong); err != nil {
		return nil, err
	}
	s := &Server{URL: client, dir: dir, what: dir + " " + client + " " + peer + " " + map[bool]string{true: noFsync, false: "fsync"}[forgets]}
	return s, s.Run()
}

// Run restarts the etcd after Kill with its files and addresses. It may not
// answer yet.
func (s *Server) Run() error {
	s.cmd = exec.Command(os.Args[0])
	s.cmd.Env = append(os.Environ(), variable+"="+s.what)
	s.cmd.Stderr = os.Stderr
	return s.cmd.Start()
}

// Kill kills the process and keeps its files.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

// free returns the URL of a free port of this machine.
func free() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return "http://" + l.Addr().String(), nil
}

// Stop kills the process and removes its files.
func (s *Server) Stop() {
	s.Kill()
	_ = os.RemoveAll(s.dir)
}

// String describes the resource usage of the etcd.
func (s *Server) String() string {
	var disk int64
	_ = filepath.Walk(s.dir, func(_ string, info os.FileInfo, err error) error {
		if err == nil && info.Name() == "db" {
			disk += info.Size()
		}
		return nil
	})
	return fmt.Sprintf("%d MB of memory, database of %d MB", resident(s.cmd.Process.Pid)>>20, disk>>20)
}

// resident returns the resident memory of a process, see proc_pid_statm(5).
func resident(pid int) int64 {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	fields := strings.Fields(string(data))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// CPU returns the CPU time of the etcd.
func (s *Server) CPU() time.Duration { return CPU(s.cmd.Process.Pid) }

// CPU returns the CPU time of a process, see proc_pid_stat(5).
func CPU(pid int) time.Duration {
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

// Syncs measures, for a while, how long durable writes take on the etcd's disk.
// Other programs affect the result.
func (s *Server) Syncs(during time.Duration) <-chan []time.Duration {
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
