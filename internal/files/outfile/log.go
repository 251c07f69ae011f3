package outfile

import "os"

// Log is a file that grows by whole lines. A line that was written is there, also if the process is
// killed right after; a line that was being written then may be there in part, as the last one.
type Log struct{ file *os.File }

// OpenLog opens a log, or makes one. Lines that are there stay.
func OpenLog(name string) (*Log, error) {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666) // less the umask
	if err != nil {
		return nil, err
	}
	return &Log{file}, nil
}

// Add writes a line, which has its newline.
func (l *Log) Add(line []byte) error {
	_, err := l.file.Write(line)
	return err
}

// Empty removes all lines.
func (l *Log) Empty() error { return l.file.Truncate(0) }

// Close closes the log.
func (l *Log) Close() error { return l.file.Close() }
