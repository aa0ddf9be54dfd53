package layout

import "syscall"

// Map is Read without a copy: the bytes stand in memory, not to be written to, until
// the process ends. Who cuts the file short meanwhile ends the process; so it is for
// files that are only ever replaced. ErrNotFound, ErrUnreadable.
func (d *OpenDir) Map(name string, limit int64) ([]byte, error) {
	path := d.path + "/" + name
	const flags = syscall.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOFOLLOW | syscall.O_CLOEXEC | syscall.O_NOCTTY
	fd, err := retry(func() (int, error) { return syscall.Openat(d.fd, name, flags, 0) })
	if err != nil {
		return nil, openError(path, err)
	}
	defer syscall.Close(fd)
	var st syscall.Stat_t
	if err := syscall.Fstat(fd, &st); err != nil {
		return nil, Explain(path, err)
	}
	info := infoOf(&st)
	switch {
	case !info.Mode.IsRegular():
		return nil, wrongType(path, info.Mode)
	case info.Size > limit:
		return nil, errTooLarge(path, info.Size, limit)
	case info.Size == 0:
		return nil, nil
	}
	data, err := syscall.Mmap(fd, 0, int(info.Size), syscall.PROT_READ, syscall.MAP_PRIVATE|syscall.MAP_POPULATE)
	if err != nil {
		return nil, Explain(path, err)
	}
	return data, nil
}
