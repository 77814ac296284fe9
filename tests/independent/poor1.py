# poor1.py PROGRAM CAPTURE TRANSFORMATION OUT: writes the transformed capture
import sys,random,zlib,pathlib
sys.path.insert(0,'/work/wt/c/tests/captures')
import capfile
from transform import TRANSFORMATIONS, Whole
path=pathlib.Path(sys.argv[1]); name=sys.argv[2]
frames=list(capfile.read(path)); whole=Whole(path,frames)
rng=random.Random(zlib.crc32(f"{path.name} {name}".encode()))
files=dict(TRANSFORMATIONS)[name](whole,rng)
capfile.write_pcap(sys.argv[3],frames[0].link,files[0])
