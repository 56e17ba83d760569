//! One end of a connection: bytes, and descriptors beside them.

use libc::{c_int, c_void};
use std::collections::VecDeque;
use std::io::{Error, Result};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// Bytes that are read at once.
const CHUNK: usize = 4096;
/// Descriptors that the kernel sends at once, and those that libwayland receives at once.
const RECEIVED: usize = 253;
const SENT: usize = 28;

/// A socket.
pub(super) struct Link(OwnedFd);

/// Room for so many descriptors' control message, aligned as its head is.
type Control = [u64; 160];

impl Link {
    pub(super) fn new(socket: OwnedFd) -> Link {
        Link(socket)
    }

    /// Reads what is there, waiting for it; says how many bytes and descriptors came. No bytes
    /// are the end.
    pub(super) fn receive(
        &self,
        bytes: &mut Vec<u8>,
        fds: &mut VecDeque<OwnedFd>,
    ) -> Result<(usize, usize)> {
        let mut chunk = [0u8; CHUNK];
        let mut control: Control = [0; 160];
        let (mut part, mut head) = message(chunk.as_mut_ptr(), CHUNK);
        loop {
            head.msg_iov = &raw mut part;
            head.msg_control = control.as_mut_ptr().cast();
            head.msg_controllen = space(RECEIVED);
            // SAFETY: all that the structure points to is alive and as long as it says.
            let got =
                unsafe { libc::recvmsg(self.0.as_raw_fd(), &mut head, libc::MSG_CMSG_CLOEXEC) };
            if let Ok(got) = usize::try_from(got) {
                bytes.extend_from_slice(&chunk[..got]);
                let before = fds.len();
                take_fds(&head, fds);
                return Ok((got, fds.len() - before));
            }
            self.again(libc::POLLIN)?;
        }
    }

    /// Sends all bytes. Descriptors go with them, or before theirs; what is left over when no
    /// bytes are left waits for the next ones.
    pub(super) fn send(&self, mut bytes: &[u8], fds: &mut VecDeque<OwnedFd>) -> Result<()> {
        while !bytes.is_empty() {
            let count = fds.len().min(SENT);
            // A byte at a time while there are more descriptors than its reader takes.
            let len = if fds.len() > SENT { 1 } else { bytes.len() };
            let mut control: Control = [0; 160];
            let (mut part, mut head) = message(bytes.as_ptr().cast_mut(), len);
            head.msg_iov = &raw mut part;
            if count > 0 {
                head.msg_control = control.as_mut_ptr().cast();
                put_fds(&mut head, fds, count);
            }
            // SAFETY: as above; the bytes are only read.
            let sent = unsafe { libc::sendmsg(self.0.as_raw_fd(), &head, libc::MSG_NOSIGNAL) };
            match usize::try_from(sent) {
                Ok(sent) => {
                    fds.drain(..count);
                    bytes = &bytes[sent..];
                }
                Err(_) => self.again(libc::POLLOUT)?,
            }
        }
        Ok(())
    }

    /// After a call that failed: waits if that is all that is wrong.
    fn again(&self, events: libc::c_short) -> Result<()> {
        let error = Error::last_os_error();
        match error.raw_os_error() {
            Some(libc::EINTR) => Ok(()),
            Some(libc::EAGAIN) => {
                let fd = self.0.as_raw_fd();
                let mut poll = libc::pollfd {
                    fd,
                    events,
                    revents: 0,
                };
                // SAFETY: one structure, alive.
                unsafe { libc::poll(&raw mut poll, 1, -1) };
                Ok(())
            }
            _ => Err(error),
        }
    }

    /// Ends the connection: whoever reads from it or writes to it comes to an end.
    pub(super) fn close(&self) {
        // SAFETY: numbers only.
        unsafe { libc::shutdown(self.0.as_raw_fd(), libc::SHUT_RDWR) };
    }
}

/// Bytes that a control message of so many descriptors takes.
fn space(count: usize) -> usize {
    // SAFETY: it only computes.
    unsafe { libc::CMSG_SPACE((count * size_of::<c_int>()) as u32) as usize }
}

/// A part of bytes, and a message without anything.
fn message(at: *mut u8, len: usize) -> (libc::iovec, libc::msghdr) {
    let part = libc::iovec {
        iov_base: at.cast::<c_void>(),
        iov_len: len,
    };
    // SAFETY: zeros and null pointers are valid in it.
    let mut head: libc::msghdr = unsafe { std::mem::zeroed() };
    head.msg_iovlen = 1;
    (part, head)
}

/// Takes the descriptors that came with a message.
fn take_fds(head: &libc::msghdr, fds: &mut VecDeque<OwnedFd>) {
    // SAFETY: the kernel has filled the control bytes in, and these functions stay within.
    unsafe {
        let mut part = libc::CMSG_FIRSTHDR(head);
        while !part.is_null() {
            if ((*part).cmsg_level, (*part).cmsg_type) == (libc::SOL_SOCKET, libc::SCM_RIGHTS) {
                let len = (*part).cmsg_len - libc::CMSG_LEN(0) as usize;
                let data = libc::CMSG_DATA(part).cast::<c_int>();
                for index in 0..len / size_of::<c_int>() {
                    let fd = data.add(index).read_unaligned();
                    fds.push_back(OwnedFd::from_raw_fd(fd));
                }
            }
            part = libc::CMSG_NXTHDR(head, part);
        }
    }
}

/// Puts the first descriptors into a message's control bytes, which have room for them.
fn put_fds(head: &mut libc::msghdr, fds: &VecDeque<OwnedFd>, count: usize) {
    head.msg_controllen = space(count);
    // SAFETY: the room is there, and the first head lies in it.
    unsafe {
        let part = libc::CMSG_FIRSTHDR(head);
        (*part).cmsg_level = libc::SOL_SOCKET;
        (*part).cmsg_type = libc::SCM_RIGHTS;
        (*part).cmsg_len = libc::CMSG_LEN((count * size_of::<c_int>()) as u32) as usize;
        let data = libc::CMSG_DATA(part).cast::<c_int>();
        for (index, fd) in fds.iter().take(count).enumerate() {
            data.add(index).write_unaligned(fd.as_raw_fd());
        }
    }
}

/// Two sockets that are connected.
pub(super) fn pair() -> Result<(OwnedFd, OwnedFd)> {
    let mut fds = [-1; 2];
    let kind = libc::SOCK_STREAM | libc::SOCK_CLOEXEC;
    // SAFETY: the array has room for both; they are ours then.
    unsafe {
        match libc::socketpair(libc::AF_UNIX, kind, 0, fds.as_mut_ptr()) {
            0 => Ok((OwnedFd::from_raw_fd(fds[0]), OwnedFd::from_raw_fd(fds[1]))),
            _ => Err(Error::last_os_error()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffers::anonymous_file;
    use crate::hook::file_id;

    /// More descriptors than a reader takes at once arrive all, in order.
    #[test]
    fn descriptors_keep_their_order() {
        let (a, b) = pair().unwrap();
        let (a, b) = (Link::new(a), Link::new(b));
        let mut sent: VecDeque<OwnedFd> = (0..70).map(|_| anonymous_file().unwrap()).collect();
        let ids: Vec<_> = sent.iter().map(|fd| file_id(fd.as_raw_fd())).collect();
        a.send(b"abcdefgh", &mut sent).unwrap();
        assert!(sent.is_empty());
        let (mut bytes, mut fds) = (Vec::new(), VecDeque::new());
        while bytes.len() < 8 {
            let (_, count) = b.receive(&mut bytes, &mut fds).unwrap();
            assert!(count <= SENT);
        }
        assert_eq!(bytes, b"abcdefgh");
        let got: Vec<_> = fds.iter().map(|fd| file_id(fd.as_raw_fd())).collect();
        assert!(got == ids);
        a.close();
        assert_eq!(b.receive(&mut bytes, &mut fds).unwrap(), (0, 0));
    }
}
