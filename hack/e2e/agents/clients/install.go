package clients

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
)

// CacheVariable names the folder in which clients are installed.
const CacheVariable = "IDUMB_E2E_CACHE"

// CacheDir is where clients are installed: the folder that CacheVariable names, else
// idumb-e2e in the user's cache.
func CacheDir() (string, error) {
	if dir := os.Getenv(CacheVariable); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "idumb-e2e"), err
}

// Install returns a client's program, and installs it from npm first where the
// cache does not hold it. It needs npm and, once, the network; a client takes
// some 400 MB. Two runs at once must not install the same client.
func Install(c Client, cache string) (string, error) {
	folder := filepath.Join(cache, path.Base(c.Package())+"-"+c.Version())
	if program, err := find(folder, c.binary()); err == nil && exists(filepath.Join(folder, marker)) {
		return program, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	// The packages for one platform hold a native program each, so no script of
	// theirs has to run.
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

// marker is written last: an installation without it was interrupted.
const marker = ".installed"

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// find returns the one program that a pattern names below a folder.
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
