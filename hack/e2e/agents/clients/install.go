package clients

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
)

// CacheVariable is the environment variable for the directory in which clients are installed.
const CacheVariable = "IDUMB_E2E_CACHE"

// CacheDir returns the directory in which clients are installed: the value of CacheVariable, or
// idumb-e2e in the user's cache directory.
func CacheDir() (string, error) {
	if dir := os.Getenv(CacheVariable); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "idumb-e2e"), err
}

// Install returns the path of a client's program. If the client is not in the cache, Install first
// installs it from npm, which needs the network and about 400 MB for each client. Two concurrent
// runs must not install the same client.
func Install(c Client, cache string) (string, error) {
	folder := filepath.Join(cache, path.Base(c.Package())+"-"+c.Version())
	if program, err := find(folder, c.binary()); err == nil && exists(filepath.Join(folder, marker)) {
		return program, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	// The packages for one platform contain a native program, so their scripts do not need to run.
	npm := exec.Command("npm", "install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", c.Package()+"@"+c.Version())
	if out, err := npm.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm install %s@%s: %w\n%s", c.Package(), c.Version(), err, out)
	}
	program, err := find(folder, c.binary())
	if err != nil {
		return "", err
	}
	return program, os.WriteFile(filepath.Join(folder, marker), nil, 0o644)
}

// marker is the name of a file that is written last. An installation without it was interrupted.
const marker = ".installed"

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// find returns the only program that matches a pattern in a directory.
func find(folder, pattern string) (string, error) {
	found, err := filepath.Glob(filepath.Join(folder, filepath.FromSlash(pattern)))
	if err != nil {
		return "", err
	}
	for _, file := range found {
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return file, nil
		}
	}
	return "", fmt.Errorf("%w: no program at %s below %s: does the client support this platform?", errors.ErrUnsupported, pattern, folder)
}
