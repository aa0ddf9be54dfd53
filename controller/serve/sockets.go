package serve

import (
	"errors"
	"net"
	"os"
	"path"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// sockets holds both sockets, bound in one directory.
type sockets struct {
	run       *layout.OpenDir
	hook, api *net.UnixListener
	identity  []os.FileInfo // file identities of both sockets
}

// bind opens both sockets for the current user only. It replaces existing
// files.
func bind(root layout.Root) (*sockets, error) {
	run, err := root.Make(layout.RunDir)
	if err != nil {
		return nil, err
	}
	s := &sockets{run: run}
	if err = ownFolder(run); err == nil {
		s.hook, err = s.listen(path.Base(layout.HookSocket))
	}
	if err == nil {
		s.api, err = s.listen(path.Base(layout.APISocket))
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// listen creates a socket in the run directory, which only the current user may use. It replaces
// an existing file.
func (s *sockets) listen(name string) (*net.UnixListener, error) {
	if err := s.run.Remove(name); err != nil {
		return nil, err
	}
	address := socketName(s.run, name)
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: address, Net: "unix"})
	if err != nil {
		return nil, err
	}
	listener.SetUnlinkOnClose(false) // the directory may have been replaced by then
	info, err := os.Lstat(address)
	if err == nil {
		err = os.Chmod(address, 0o600)
	}
	if err != nil {
		listener.Close()
		return nil, err
	}
	s.identity = append(s.identity, info)
	return listener, nil
}

// inPlace reports whether the sockets' paths lead to these sockets.
func (s *sockets) inPlace(root layout.Root) bool {
	for i, file := range []string{layout.HookSocket, layout.APISocket} {
		if info, err := os.Lstat(root.Abs(file)); err != nil || !os.SameFile(info, s.identity[i]) {
			return false
		}
	}
	return true
}

// close closes the sockets and removes them from the directory in which they
// were bound.
func (s *sockets) close() error {
	var errs []error
	for i, listener := range []*net.UnixListener{s.hook, s.api} {
		if listener != nil {
			name := path.Base([]string{layout.HookSocket, layout.APISocket}[i])
			errs = append(errs, s.run.Remove(name), listener.Close())
		}
	}
	return errors.Join(append(errs, s.run.Close())...)
}
